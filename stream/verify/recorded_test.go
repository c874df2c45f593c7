package verify_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// recorded is a copy of a task's topics in memory, by topic and partition, as a log. Copies share records.
type recorded struct {
	top     topics.Topology
	records [topics.Labels + 1][][]topics.Record
	ended   []int64 // where the leader epochs of the input ended; nil: not known
}

// record copies the topics of a task that has ended.
func record(t *testing.T, s *streamtest.Setup) *recorded {
	t.Helper()
	c := s.Client(t)
	top, err := c.Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := &recorded{top: *top}
	for topic := range r.records {
		for p, b := range top.Of(topics.Topic(topic)).Partitions {
			r.records[topic] = append(r.records[topic], streamtest.Read(t, c, topics.Topic(topic), int32(p), b))
		}
	}
	return r
}

// copied returns a copy that can be changed by record.
func (r *recorded) copied() *recorded {
	c := &recorded{top: r.top}
	for topic := range r.records {
		for _, records := range r.records[topic] {
			c.records[topic] = append(c.records[topic], slices.Clone(records))
		}
	}
	for topic := range c.records {
		state := c.top.Of(topics.Topic(topic))
		state.Partitions = slices.Clone(state.Partitions)
	}
	return c
}

// renumber gives the records of a partition that was changed their offsets, and the partition its end.
func (r *recorded) renumber(topic topics.Topic) {
	state := r.top.Of(topic)
	for p, records := range r.records[topic] {
		for i := range records {
			records[i].Offset = int64(i)
		}
		state.Partitions[p] = topics.Bounds{End: int64(len(records)), Stable: int64(len(records))}
	}
}

// Topology implements topics.Log.
func (r *recorded) Topology(context.Context) (*topics.Topology, error) {
	top := r.copied().top
	return &top, nil
}

// Watch implements topics.Log.
func (r *recorded) Watch(ctx context.Context, _ *topics.Topology) (*topics.Topology, error) {
	return r.Topology(ctx)
}

// Ends implements topics.Log.
func (r *recorded) Ends(context.Context, bool, func([]topics.PartitionEnd)) {}
func (r *recorded) Written(context.Context) (e topics.Ends, _ error)        { return e, nil }
func (r *recorded) Reachable(context.Context) error                         { return nil }

// Known implements topics.Log.
func (r *recorded) Known(topics.Topic, string, int) {}

// EpochEnds implements topics.Log.
func (r *recorded) EpochEnds(_ context.Context, t topics.Topic, at []topics.Reached) ([]int64, error) {
	if r.ended != nil && t == topics.Input {
		return r.ended, nil
	}
	return slices.Repeat([]int64{-1}, len(at)), nil
}

// LeadersOf implements topics.Log.
func (r *recorded) LeadersOf(context.Context, topics.Ends) (e topics.EndEpochs, _ error) {
	return e, nil
}

// Skip implements topics.Log.
func (r *recorded) Skip([]topics.SkipRange) {}

// Open implements topics.Opener.
func (r *recorded) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	state := r.top.Of(topic)
	return &recordedReader{records: r.records[topic][partition], next: from, end: state.Partitions[partition].Stable}
}

var _ topics.Log = (*recorded)(nil)

type recordedReader struct {
	records   []topics.Record
	next, end int64
}

// Read implements topics.Reader.
func (r *recordedReader) Read(_ context.Context, c *topics.Run, max int) error {
	c.Reset(c.Partition, r.next)
	if r.next >= r.end {
		return errors.New("read at the end")
	}
	at, _ := slices.BinarySearchFunc(r.records, r.next, func(x topics.Record, offset int64) int {
		return int(x.Offset - offset)
	})
	c.Records = append(c.Records, r.records[at:min(at+max, len(r.records))]...)
	r.next = r.end
	if at+max < len(r.records) {
		r.next = r.records[at+max-1].Offset + 1
	}
	c.Next = r.next
	return nil
}
