package evaluate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/report"
	"rosenblatt/stream/survey"
)

// verdict says the worst that was found, in the last line. It is an error that nothing was predicted, or that every
// label record was rejected.
func (p *plan) verdict(result *replay.Result, first *firstEvents, late *replay.Labels) error {
	found := first.survey.Report()
	events, rejected := result.Records-result.Skipped, count(result.Rejected)
	var labelled, untrained int64 // labels in figures, and those of predictions before anything was learned
	for _, l := range result.Learners {
		labelled, untrained = max(labelled, l.Report.Examples), max(untrained, l.Report.LeftOut)
	}
	say := func(format string, args ...any) {
		fmt.Fprintf(p.program.Stderr, "rosenblatt: "+format+"\n", args...)
	}
	switch text, all := labelsVerdict(result.Labels, late); {
	case events == 0:
		say("nothing was predicted: there was no event")
		return cli.ErrReported
	case rejected == events:
		say("nothing was predicted: %s", everyRejected(result, found))
		return cli.ErrReported
	//mutation:all-labels-rejected-is-an-error
	case all:
		say("%s", text)
		return cli.ErrReported
	case 2*rejected > events:
		say("%d of %d events were rejected: the figures are of the others alone; %s", rejected, events,
			p.aboutMost(result, found))
	case labelled == 0 && result.Labels == nil && found.Verdict != "":
		say("%s", found.Verdict)
	case text != "":
		say("%s", text)
	//mutation:no-outcome-followed
	case labelled == 0 && late != nil && late.Journal && len(result.Labels.Outcomes) == 0:
		say("topic %s has no outcome: if the daemon's are in another topic, name it with --outcomes",
			cmp.Or(p.Outcomes, p.Topic+".outcomes"))
	//mutation:learned-though-untrained
	case labelled == 0 && untrained > 0:
		say("%s", cli.AllUntrained(untrained))
	case labelled == 0:
		say("no event that was predicted had a label: nothing was learned")
	//mutation:replay-counts-rejects
	case rejected > 0:
		say("%d of %d events were rejected; %s", rejected, events, p.aboutMost(result, found))
	}
	return nil
}

// everyRejected says why, with the count of all events, of which the survey has the first alone.
func everyRejected(result *replay.Result, found *survey.Report) string {
	reason := most(result.Rejected)
	//mutation:rejects-of-the-first-alone
	if len(found.Reasons) > 0 && found.Reasons[0].Reason == reason && found.Worst != "" {
		return fmt.Sprintf("every event is rejected: %s %s, the first: %s", reason,
			english.Plural(int(result.Rejected[reason]), "time", ""), found.Worst)
	}
	return cmp.Or(found.Verdict, "every event is rejected, the lines above say why")
}

// oneLabelLeft reports whether labels were rejected, and all others are the same of two.
func (p *plan) oneLabelLeft(result *replay.Result) bool {
	return p.decode.Task != event.Multiclass && result.Rejected[event.BadLabel] > 0 &&
		!slices.ContainsFunc(result.Learners, func(s replay.Scored) bool {
			_, known := s.Report.RocAUC.Get()
			return known
		})
}

// aboutMost says what is wrong with the most frequent of the rejected events.
func (p *plan) aboutMost(result *replay.Result, found *survey.Report) string {
	reason := most(result.Rejected)
	left := cli.When(p.oneLabelLeft(result), "; only one label is left: the figures say nothing")
	for _, r := range found.Reasons {
		if r.Reason == reason {
			return fmt.Sprintf("most as %s, the first: %s%s", reason, r.Text(), left)
		}
	}
	return fmt.Sprintf("most as %s; %s%s", reason, survey.Advice(&p.decode, reason, nil), left)
}

// labelsVerdict is about label records: the worst of them, and whether all are rejected.
func labelsVerdict(j *replay.Joined, late *replay.Labels) (text string, all bool) {
	if j == nil {
		return "", false
	}
	rejected, of := count(j.Rejected), j.Records-j.Skipped
	apart, join := labels.Apart(&j.Events, &j.Labels)
	switch {
	case of > 0 && j.Outside == of && apart != "":
		return fmt.Sprintf("none of %d labels found an event: %s; %s", of, apart, join), true
	case of > 0 && j.Outside == of:
		return fmt.Sprintf("none of %d labels is of an event that was read: see --from, --to and --partitions, and"+
			" write ids alike on both sides", of), true
	case rejected == 0:
		return "", false
	}
	reason := most(j.Rejected)
	//mutation:replay-names-late-labels
	if late := report.TooLate(j); len(late) > 0 && reason == event.LateLabel && rejected < of {
		return late[0], false
	}
	first := j.First[reason]
	advice := survey.LabelAdvice(&late.Decode, reason, first.Text, first.Value, false)
	if strings.HasSuffix(first.Text, labels.Seconds) {
		advice = labels.InMilliseconds
	}
	text = fmt.Sprintf("%d of %d labels were rejected, most as %s, the first: %s", rejected, of, reason,
		survey.WithAdvice(first.Text, advice))
	switch {
	case reason == event.NoExample && 2*j.Refused > rejected:
		text = fmt.Sprintf("%d of %d labels were rejected, most since their events were: those come first", rejected,
			of)
	case reason == event.NoExample && apart != "":
		text = fmt.Sprintf("%d of %d labels found no event: %s; %s", rejected, of, apart, join)
	}
	return text, rejected+j.Outside == of
}

func count(rejected map[event.Reason]int64) (n int64) {
	for _, c := range rejected {
		n += c
	}
	return n
}

// most is the reason of most, of which there are some.
func most(rejected map[event.Reason]int64) event.Reason {
	return slices.MaxFunc(slices.Sorted(maps.Keys(rejected)),
		func(a, b event.Reason) int { return cmp.Compare(rejected[a], rejected[b]) })
}
