package replay

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// LabelTopic is a topic of label records.
type LabelTopic struct {
	Name  string
	Log   topics.Opener // of which the records are the input
	Parts []topics.Part
	Slack int64 // ms
}

// Where names a label record for Labels.
func (l *LabelTopic) Where(partition int32, r *topics.Record) string {
	return fmt.Sprintf("topic %s partition %d offset %d", l.Name, partition, r.Offset)
}

// topic is partitions of events and of labels, merged by time.
type topic struct {
	name    string
	sources []*topics.Cursor
	heads   []*topics.Record // the next of each source, nil at its end
	events  int              // the sources of events, which come first
	merge   labels.Merge
	offsets
}

// FromTopic supplies parts of a topic, merged by timestamp, equal ones in the order of the partitions; within a
// partition by offset.
func FromTopic(name string, log topics.Opener, parts []topics.Part) Source {
	return FromTopics(name, log, parts, LabelTopic{})
}

// FromTopics supplies parts of a topic of events and of a topic of labels, merged by time: an event at its timestamp, a
// label Slack later.
func FromTopics(name string, log topics.Opener, parts []topics.Part, late LabelTopic) Source {
	t := &topic{name: name, merge: labels.Merge{Slack: late.Slack}}
	add := func(log topics.Opener, parts []topics.Part, label bool) {
		for _, p := range parts {
			if t.add(p) {
				t.merge.Add(label)
				t.sources = append(t.sources, topics.NewCursor(log, topics.Input, p, fetchRecords))
			}
		}
	}
	add(log, parts, false)
	t.events = len(t.sources)
	add(late.Log, late.Parts, true)
	t.heads = make([]*topics.Record, len(t.sources))
	return t
}

// Fill implements Source.
func (t *topic) Fill(ctx context.Context, b *Block) error {
	defer t.count()
	for !b.Full() {
		if len(b.Records)+len(b.Labels) > 0 && slices.ContainsFunc(t.sources, (*topics.Cursor).Waits) {
			return nil
		}
		if err := t.read(ctx); err != nil {
			return err
		}
		n, ok := t.merge.Next()
		if !ok {
			return io.EOF
		}
		t.merge.Take(n)
		if partition := t.sources[n].Partition; n >= t.events {
			b.addLabel(*t.heads[n], partition)
		} else {
			b.Records, b.Partitions = append(b.Records, *t.heads[n]), append(b.Partitions, partition)
		}
		t.sources[n].Take()
		t.heads[n] = nil
	}
	return nil
}

// read reads the next record of each source whose last one was taken, and tells the merge.
func (t *topic) read(ctx context.Context) (err error) {
	for n, s := range t.sources {
		if t.heads[n] != nil {
			continue
		}
		if t.heads[n], err = s.Head(ctx); err != nil {
			return err
		}
		if t.heads[n] != nil {
			t.merge.Head(n, t.heads[n].Timestamp)
		}
	}
	if t.events == len(t.sources) {
		return nil // events wait for labels alone
	}
	for n := range t.heads {
		if t.heads[n] == nil { // an end that was fixed at the start: nothing comes after the heads
			t.merge.End(n, t.merge.Ask(math.MaxInt64))
		}
	}
	return nil
}

func (t *topic) count() {
	t.passed = -t.begin
	for _, s := range t.sources {
		t.passed += s.Position()
	}
}

// Where implements Source.
func (t *topic) Where(b *Block, i int) string { return where(t.name, b, i) }

func where(topic string, b *Block, i int) string {
	return fmt.Sprintf("topic %s partition %d offset %d", topic, b.Partitions[i], b.Records[i].Offset)
}
