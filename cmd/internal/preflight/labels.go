package preflight

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/event"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/survey"
	"rosenblatt/stream/topics"
)

const labelsLine = "labels"

// labelSample is what some label records say.
type labelSample struct {
	records, skipped int
	seconds          int                // records whose timestamps seem to be in seconds
	rejected         []survey.Rejection // most first
	ids              labels.IDKinds
}

func (s *labelSample) reject(o *event.Options, why *event.Error, value []byte, split bool) {
	s.rejected = survey.CountRejection(s.rejected, why, survey.LabelAdvice(o, why.Reason, why.Message(), value,
		split))
}

// labels reads some label records and says what a daemon with these settings would make of them.
func (k *clusterCheck) labels(ctx context.Context, client *kafka.Client) {
	if !k.hasLabelSchema() {
		return
	}
	k.labelSchema(ctx)
	var found *labelSample
	err := k.step(ctx, func(ctx context.Context) (err error) { found, err = k.sampleLabels(ctx, client); return err })
	if err != nil {
		k.note(labelsLine, "not read: "+err.Error(), seeLog)
		return
	}
	k.noteSeconds(labelsLine, found.seconds)
	rejected := 0
	for _, r := range found.rejected {
		rejected += r.Count
	}
	records := english.Plural(found.records, "label", "")
	switch {
	case found.records == 0:
		k.ok(labelsLine, "%s holds none yet", k.settings.Labels)
		return
	//mutation:check-counts-label-rejects
	case 2*rejected > found.records-found.skipped:
		most, are := found.rejected[0], " are all rejected,"
		if rejected < found.records-found.skipped {
			are = fmt.Sprintf(": %d are rejected, most", rejected)
		}
		k.fail(labelsLine, fmt.Sprintf("the newest %s%s as %s: %s", records, are, most.Reason, most.First), most.Advice)
		return
	}
	k.ok(labelsLine, "the newest %s: %d rejected", records, rejected)
	for _, r := range found.rejected {
		k.warn(labelsLine, fmt.Sprintf("%d are rejected as %s, the first: %s", r.Count, r.Reason, r.First), r.Advice)
	}
	k.compareIDs(ctx, client, &found.ids)
}

// hasLabelSchema says what is wrong with the subject that label records have the schema of, and then reports false.
func (k *clusterCheck) hasLabelSchema() bool {
	switch o, _, err := k.settings.labelRecords(); {
	case !o.Unasked() || err == nil:
		return true
	case k.settings.schemas.failed != nil:
		k.note(labelsLine, "not checked", "first the schema registry must respond")
	default:
		//mutation:check-label-subject
		k.fail(labelsLine, fmt.Sprintf("subject %s: %v", o.Subject, err), "give --labels-schema another one, or a file")
	}
	return false
}

// noteSeconds says that timestamps seem to be in seconds: of so many records.
func (k *clusterCheck) noteSeconds(what string, records int) {
	if records > 0 {
		k.warn(what, labels.Seconds, fmt.Sprintf("%s: waiting for labels goes by timestamps, so have producers write"+
			" milliseconds since 1970", english.Plural(records, "record", "")))
	}
}

func (k *clusterCheck) sampleLabels(ctx context.Context, client *kafka.Client) (*labelSample, error) {
	o, decoder, err := k.settings.labelRecords()
	if err != nil {
		return nil, err
	}
	s, ids := &labelSample{}, labels.Identifier{ByKey: k.settings.ByKey()}
	err = readNewest(ctx, client, topics.Labels, func(r *topics.Record) {
		var e event.Example
		decoder.Decode(r, nil, &e)
		if s.records++; labels.InSeconds(r.Timestamp) {
			s.seconds++
		}
		switch {
		case e.Skip:
			s.skipped++
		case e.Rejected == nil:
			ids.NoteKind(&s.ids, &e, r)
		default:
			s.reject(&o, e.Rejected, r.Value, k.settings.Split())
		}
	})
	slices.SortStableFunc(s.rejected, func(a, b survey.Rejection) int { return cmp.Compare(b.Count, a.Count) })
	return s, err
}

// compareIDs compares the kinds of ids of labels with those of events: no label of another kind has an event.
func (k *clusterCheck) compareIDs(ctx context.Context, client *kafka.Client, ofLabels *labels.IDKinds) {
	decoder, err := event.New(k.settings.options())
	if err != nil {
		return // checked with the settings
	}
	var events labels.IDKinds
	ids := labels.Identifier{ByKey: k.settings.ByKey()}
	err = k.step(ctx, func(ctx context.Context) error {
		return readNewest(ctx, client, topics.Input, func(r *topics.Record) {
			var e event.Example
			decoder.Decode(r, nil, &e)
			ids.NoteKind(&events, &e, r)
		})
	})
	if err != nil || events.Records == 0 {
		return // the events' line has said so
	}
	if !ids.ByKey && !events.Text && !events.Number {
		k.warn(labelsLine, "no event has an id", fmt.Sprintf("name its field with --id-field (now %q), or join by the"+
			" records' keys with --join key", k.settings.options().IDField))
	}
	//mutation:check-compares-ids
	if apart, do := labels.Apart(&events, ofLabels); apart != "" {
		k.fail(labelsLine, apart, do)
		k.apart = true
	}
}

// retention compares how long events are kept with how long they wait for their labels.
func (k *clusterCheck) retention(ctx context.Context, client *kafka.Client) {
	var input *topics.TopicState
	err := k.step(ctx, func(ctx context.Context) (err error) { input, err = client.InputSettings(ctx); return err })
	if err != nil {
		return // the lines above have said so
	}
	wait, keeps := k.settings.LabelWait, time.Duration(input.RetentionMS)*time.Millisecond
	switch {
	case input.RetentionMS >= 0 && keeps < wait:
		k.warn(labelsLine, fmt.Sprintf("%s keeps events for %v, and they wait for labels for %v (--label-wait)",
			input.Name, labels.Span(keeps), labels.Span(wait)),
			fmt.Sprintf("an event that is deleted before its label comes may not be learned: set its retention.ms to"+
				" %d or more", wait.Milliseconds()))
	case input.RetentionBytes >= 0:
		k.note(labelsLine, fmt.Sprintf("%s deletes events beyond %s in a partition, however new", input.Name,
			humanize.IBytes(uint64(input.RetentionBytes))),
			fmt.Sprintf("make sure that this is more than comes within --label-wait (%v)", labels.Span(wait)))
	}
}

// waiting compares how many events may wait with how many come.
func (k *clusterCheck) waiting(ctx context.Context, client *kafka.Client) {
	wait := k.settings.LabelWait
	window := min(wait, time.Hour)
	var came int64
	err := k.step(ctx, func(ctx context.Context) error {
		ends, err := client.OffsetsAt(ctx, topics.Input, daemon.LogEnd)
		if err != nil {
			return err
		}
		from, err := client.OffsetsAt(ctx, topics.Input, time.Now().Add(-window).UnixMilli())
		for p := range min(len(from), len(ends)) {
			if from[p] >= 0 {
				came += ends[p] - from[p]
			}
		}
		return err
	})
	if err != nil {
		return // the lines above have said so
	}
	most := int64(float64(came) * (float64(wait) / float64(window)))
	if most > int64(k.settings.WaitingExamples) {
		k.warn(labelsLine, fmt.Sprintf("%s events came in the last %v: at this rate %s come within --label-wait (%v),"+
			" and %s may wait", humanize.Comma(came), labels.Span(window), humanize.Comma(most), labels.Span(wait),
			humanize.Comma(int64(k.settings.WaitingExamples))),
			"if most labels come late or never, the oldest are evicted: raise --waiting-examples, 80 bytes each, or"+
				" lower --label-wait")
	}
}
