package preflight

import (
	"cmp"
	"context"
	"fmt"
	"maps"
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
	seconds          int // records whose timestamps seem to be in seconds
	rejected         map[event.Reason]int
	first            map[event.Reason]string // the error of the first one
	ids              idKinds
}

// idKinds is which kinds of ids there are.
type idKinds struct {
	records      int
	text, number bool
}

func (k *idKinds) add(e *event.Example) {
	if k.records++; e.ID == nil {
		return
	}
	text := event.AppendIDKey(nil, e)[0] == '"'
	k.text, k.number = k.text || text, k.number || !text
}

// labels reads some label records and says what a daemon with these settings would make of them.
func (k *clusterCheck) labels(ctx context.Context, client *kafka.Client) {
	var found *labelSample
	err := k.step(ctx, func(ctx context.Context) (err error) { found, err = k.sampleLabels(ctx, client); return err })
	if err != nil {
		k.note(labelsLine, "not read: "+err.Error(), seeLog)
		return
	}
	most := slices.SortedStableFunc(maps.Keys(found.rejected), func(a, b event.Reason) int {
		return cmp.Or(cmp.Compare(found.rejected[b], found.rejected[a]), cmp.Compare(a, b))
	})
	k.noteSeconds(labelsLine, found.seconds)
	rejected := 0
	for _, n := range found.rejected {
		rejected += n
	}
	records := english.Plural(found.records, "label", "")
	switch {
	case found.records == 0:
		k.ok(labelsLine, "%s holds none yet", k.settings.Labels)
		return
	case rejected == found.records-found.skipped && rejected > 0:
		k.fail(labelsLine, fmt.Sprintf("the newest %s are all rejected, as %s: %s", records, most[0],
			found.first[most[0]]), survey.LabelAdvice(most[0], k.settings.Split()))
		return
	}
	k.ok(labelsLine, "the newest %s: %d rejected", records, rejected)
	for _, reason := range most {
		k.note(labelsLine, fmt.Sprintf("%d are rejected as %s, the first: %s", found.rejected[reason], reason,
			found.first[reason]), survey.LabelAdvice(reason, k.settings.Split()))
	}
	k.compareIDs(ctx, client, found.ids)
}

// noteSeconds says that timestamps seem to be in seconds: of so many records.
func (k *clusterCheck) noteSeconds(what string, records int) {
	if records > 0 {
		k.note(what, labels.Seconds, fmt.Sprintf("%s: waiting for labels goes by timestamps, so have producers write"+
			" milliseconds since 1970", english.Plural(records, "record", "")))
	}
}

func (k *clusterCheck) sampleLabels(ctx context.Context, client *kafka.Client) (*labelSample, error) {
	_, decoder, err := k.settings.InTopic(k.settings.options())
	if err != nil {
		return nil, err
	}
	s := &labelSample{rejected: map[event.Reason]int{}, first: map[event.Reason]string{}}
	err = readNewest(ctx, client, topics.Labels, func(r *topics.Record) {
		var e event.Example
		decoder.Decode(r.Key, r.Value, nil, &e)
		if s.records++; labels.InSeconds(r.Timestamp) {
			s.seconds++
		}
		switch {
		case e.Skip:
			s.skipped++
		case e.Rejected == nil:
			s.ids.add(&e)
		default:
			reason := e.Rejected.Reason
			if s.rejected[reason]++; s.rejected[reason] == 1 {
				s.first[reason] = e.Rejected.Message()
			}
		}
	})
	return s, err
}

// compareIDs compares the kinds of ids of labels with those of events: no label of another kind has an event.
func (k *clusterCheck) compareIDs(ctx context.Context, client *kafka.Client, labels idKinds) {
	if k.settings.ByKey() {
		return
	}
	decoder, err := event.New(k.settings.options())
	if err != nil {
		return // checked with the settings
	}
	var events idKinds
	err = k.step(ctx, func(ctx context.Context) error {
		return readNewest(ctx, client, topics.Input, func(r *topics.Record) {
			var e event.Example
			decoder.Decode(r.Key, r.Value, nil, &e)
			events.add(&e)
		})
	})
	field := k.settings.options().IDField
	switch {
	case err != nil || events.records == 0: // the events' line has said so
	case !events.text && !events.number:
		k.note(labelsLine, "no event has an id", fmt.Sprintf("name its field with --id-field (now %q), or join by the"+
			" records' keys with --join key", field))
	case events.text && !events.number && labels.number && !labels.text:
		k.note(labelsLine, "ids of events are text, those of labels numbers", twoIDs)
	case events.number && !events.text && labels.text && !labels.number:
		k.note(labelsLine, "ids of events are numbers, those of labels text", twoIDs)
	}
}

const twoIDs = `7 and "7" are two ids, so no label would find its event: write both alike`

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
		k.note(labelsLine, fmt.Sprintf("%s keeps events for %v, and they wait for labels for %v (--label-wait)",
			input.Name, keeps, wait),
			fmt.Sprintf("an event that is deleted before its label comes may not be learned: set its retention.ms to"+
				" %d or more", wait.Milliseconds()))
	case input.RetentionBytes >= 0:
		k.note(labelsLine, fmt.Sprintf("%s deletes events beyond %s in a partition, however new", input.Name,
			humanize.IBytes(uint64(input.RetentionBytes))),
			fmt.Sprintf("make sure that this is more than comes within --label-wait (%v)", wait))
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
		k.note(labelsLine, fmt.Sprintf("%s events came in the last %v: at this rate %s come within --label-wait (%v),"+
			" and %s may wait", humanize.Comma(came), window, humanize.Comma(most), wait,
			humanize.Comma(int64(k.settings.WaitingExamples))),
			"if most labels come late or never, the oldest are evicted: raise --waiting-examples, 80 bytes each, or"+
				" lower --label-wait")
	}
}
