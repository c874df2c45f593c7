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

// joinedTopic is partitions of events and of labels, merged by time: the events' come first in sources.
type joinedTopic struct {
	topic
	sources []*topics.Cursor
	heads   []*topics.Record // the next of each source, nil at its end
	merge   labels.Merge
}

// FromTopics supplies parts of a topic of events and of a topic of labels, merged by time: an event at its timestamp, a
// label Slack later.
func FromTopics(name string, log topics.Opener, parts []topics.Part, late LabelTopic) Source {
	j := &joinedTopic{topic: topic{name: name}, merge: labels.Merge{Slack: late.Slack}}
	add := func(log topics.Opener, parts []topics.Part, label bool) {
		for _, p := range parts {
			if j.add(p) {
				j.merge.Add(label)
				j.sources = append(j.sources, topics.NewCursor(log, topics.Input, p, fetchRecords))
			}
		}
	}
	add(log, parts, false)
	j.partitions = slices.Clone(j.sources)
	add(late.Log, late.Parts, true)
	j.heads = make([]*topics.Record, len(j.sources))
	return j
}

// Fill implements Source.
func (j *joinedTopic) Fill(ctx context.Context, b *Block) error {
	defer j.count()
	for !b.Full() {
		if len(b.Records)+len(b.Labels) > 0 && slices.ContainsFunc(j.sources, (*topics.Cursor).Waits) {
			return nil
		}
		if err := j.read(ctx); err != nil {
			return err
		}
		n, ok := j.merge.Next()
		if !ok {
			return io.EOF
		}
		j.merge.Take(n)
		if partition := j.sources[n].Partition; n >= len(j.partitions) {
			b.addLabel(*j.heads[n], partition)
		} else {
			b.Records, b.Partitions = append(b.Records, *j.heads[n]), append(b.Partitions, partition)
		}
		j.sources[n].Take()
	}
	return nil
}

// read reads the next record of each source and tells the merge.
func (j *joinedTopic) read(ctx context.Context) (err error) {
	for n, s := range j.sources {
		if j.heads[n], err = s.Head(ctx); err != nil {
			return err
		}
		if j.heads[n] != nil {
			j.merge.Head(n, j.heads[n].Timestamp)
		}
	}
	for n := range j.heads {
		if j.heads[n] == nil { // an end that was fixed at the start: nothing comes after the heads
			j.merge.End(n, j.merge.Ask(math.MaxInt64))
		}
	}
	return nil
}

func (j *joinedTopic) count() {
	j.passed = -j.begin
	for _, s := range j.sources {
		j.passed += s.Position()
	}
}
