package preflight

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/inspection"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/survey"
	"rosenblatt/stream/topics"
)

// someEvents is how many events, and label records, are read, the newest of each partition.
const someEvents = 100

// newest returns the last offsets of the partitions, n in all or a few more: as many of each, and those that some lack
// of others.
func newest(starts, ends []int64, n int64) (parts []topics.Part) {
	each := (n + int64(len(ends)) - 1) / max(1, int64(len(ends)))
	for p := range min(len(starts), len(ends)) {
		from := max(starts[p], ends[p]-each)
		parts = append(parts, topics.Part{Partition: int32(p), From: from, To: ends[p]})
		n -= ends[p] - from
	}
	for p := range parts {
		more := max(0, min(n, parts[p].From-starts[p]))
		parts[p].From -= more
		n -= more
	}
	return parts
}

// events reads some events and says what a daemon with these settings would make of them.
func (k *clusterCheck) events(ctx context.Context, client *kafka.Client) {
	const what = "events"
	if text := k.settings.AdviseLabel(new(k.settings.options())); text != "" && k.settings.Labels == "" {
		k.note(what, "no label", text)
	}
	var found *survey.Report
	seconds := 0
	err := k.step(ctx, func(ctx context.Context) (err error) {
		found, err = k.survey(ctx, client, &seconds)
		return err
	})
	k.noteSeconds(what, seconds)
	switch {
	case err != nil:
		k.note(what, "not read: "+err.Error(), seeLog)
		return
	case found.Events == 0:
		k.ok(what, "%s holds none yet", k.settings.Input)
		return
	case found.Events == found.Rejected+found.Skipped && found.Rejected > 0:
		k.fail(what, "the newest "+found.Headline(), found.Verdict)
	case found.Verdict != "":
		k.note(what, "the newest "+found.Headline(), found.Verdict)
	default:
		k.ok(what, "the newest %s", found.Headline())
		for _, r := range found.Reasons {
			k.note(what, fmt.Sprintf("%s, the first: %s", r.Reason, r.First), survey.Advice(r.Reason))
		}
	}
	for _, w := range found.Warnings {
		k.note(what, cmp.Or(w.Field, "label"), w.Text)
	}
	_ = found.WriteTable(k.out, "      ") // as the other lines
}

// survey surveys the newest events. With later labels it counts those whose timestamps seem to be in seconds.
func (k *clusterCheck) survey(ctx context.Context, client *kafka.Client, seconds *int) (*survey.Report, error) {
	o := k.settings.options()
	if h := inspection.NewestHeader(k.folders()[0]); h != nil {
		o = model.Config{Decode: o, OpenMissing: len(k.settings.Missing) == 0}.For(h.Config).Decode
	}
	s, err := survey.New(o)
	if err != nil {
		return nil, err
	}
	s.LabelsLater = k.settings.Labels != ""
	err = readNewest(ctx, client, topics.Input, func(r *topics.Record) {
		if s.LabelsLater && labels.InSeconds(r.Timestamp) {
			*seconds++
		}
		s.Add(r.Key, r.Value)
	})
	return s.Report(), err
}

// readNewest reads the newest records of a topic, in the order of their timestamps.
func readNewest(ctx context.Context, client *kafka.Client, topic topics.Topic, add func(*topics.Record)) error {
	starts, err := client.OffsetsAt(ctx, topic, daemon.LogStart)
	if err != nil {
		return err
	}
	ends, err := client.OffsetsAt(ctx, topic, daemon.LogEnd)
	if err != nil {
		return err
	}
	from := replay.FromTopic("", asInput{client, topic}, newest(starts, ends, someEvents))
	for done := false; !done; {
		var b replay.Block
		err := from.Fill(ctx, &b)
		if done = errors.Is(err, io.EOF); err != nil && !done {
			return err
		}
		for i := range b.Records {
			add(&b.Records[i])
		}
	}
	return nil
}

// asInput opens partitions of one topic for a source that reads the input.
type asInput struct {
	topics.Opener
	topic topics.Topic
}

// Open implements topics.Opener.
func (a asInput) Open(_ topics.Topic, partition int32, offset int64) topics.Reader {
	return a.Opener.Open(a.topic, partition, offset)
}
