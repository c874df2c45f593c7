package verify

import (
	"fmt"
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/walk"
)

// output is a partition of a topic of the journal.
type output struct {
	*walk.Entries
	stable  int64 // entries below it are audited
	trimmed bool  // the log no longer holds all that is needed
}

func (a *auditor) openOutput() {
	var partitions []*walk.Entries
	for _, t := range a.top.Journal() {
		ends, stable := *a.From.Ends.Of(t), *a.stable.Of(t)
		for p, b := range a.top.Of(t).Partitions {
			need := at(ends, p, 0)
			e := &walk.Entries{Topic: t}
			e.Cursor = a.read(t, int32(p), max(need, b.Start), b.End)
			if p >= len(ends) {
				e.After = a.From.Seq // entries of before the checkpoint
			}
			partitions = append(partitions, e)
			a.outputs = append(a.outputs, &output{Entries: e, stable: stable[p], trimmed: b.Start > need})
		}
	}
	a.entries = walk.NewJournal(a.From.Seq, partitions)
	a.entries.Settled = a.audited
}

func (a *auditor) audited(e *journal.Entry) bool {
	return e.Record.Offset < (*a.stable.Of(e.Topic))[e.Output]
}

// next returns the next prediction by seq that is to be audited; nil at the end, and where the last flight lacks one
// above the floor: that may still be on its way, or is left to the next takeover.
func (a *auditor) next() (*journal.Entry, error) {
	for {
		e, err := a.entries.Next(a.ctx)
		switch {
		case err != nil || e == nil:
			return nil, err
		case e.Kind == journal.Foreign:
			a.foreign(e)
			continue
		case e.Order == journal.Missing:
			if a.Floor == nil || e.Seq > a.Floor.Seq {
				return nil, nil
			}
			if err := a.lost(e); err != nil {
				return nil, err
			}
			continue
		}
		return e, nil
	}
}

// foreign is a finding about a record that is no prediction of this model, unless it is of the next audit.
func (a *auditor) foreign(e *journal.Entry) {
	if !a.audited(e) {
		return
	}
	a.found(1, Finding{Kind: Foreign, Output: a.outputPlace(e),
		What: fmt.Sprintf("%v: another program writes to this topic, which is for model %s alone",
			e.Why, a.Model)})
}

// keptFrom is the seq from which on the output holds every prediction, as far as its partitions' starts show: 0 where
// nothing that is needed was deleted.
func (a *auditor) keptFrom() (seq int64, trimmed *output) {
	for _, o := range a.outputs {
		if o.trimmed && o.First > seq {
			seq, trimmed = o.First, o
		}
	}
	return seq, trimmed
}

// checkKept is the stop for an audit whose first predictions were deleted.
func (a *auditor) checkKept(missing int64) error {
	seq, o := a.keptFrom()
	if missing >= seq {
		return nil
	}
	what := fmt.Sprintf("topic %s partition %d begins at offset %d: seq %d, which is needed, is no longer kept",
		a.top.Of(o.Topic).Name, o.Partition, o.From, missing)
	do := "give --from-checkpoint FILE, of a checkpoint that is newer than the newest prediction deleted"
	if seq != math.MaxInt64 {
		do = fmt.Sprintf("give --from-checkpoint FILE, of a checkpoint of seq %d or later: the seq is in its name",
			seq-1)
	}
	return stop(stops.JournalGone, what, do)
}
