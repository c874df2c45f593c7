package stream_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/rs/zerolog"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
)

// backlogged is a cluster in memory. Each partition of its input has a backlog without an end, but the last: that has
// what is sent to it. Its journal writes one flight at a time.
type backlogged struct {
	top   topics.Topology
	quiet chan struct{} // events of the last partition
	next  chan struct{} // lets a flight be written
	air   []topics.Batch
	share int   // records of the largest batch
	sizes []int // records of each batch
}

func newBacklogged(partitions int) *backlogged {
	c := &backlogged{quiet: make(chan struct{}, 1), next: make(chan struct{})}
	state := func(name string, end int64) topics.TopicState {
		s := topics.TopicState{Name: name, ID: name, MaxMessageBytes: 1 << 20, RetentionMS: -1, RetentionBytes: -1}
		for range partitions {
			s.Partitions = append(s.Partitions, topics.Bounds{End: end, Stable: end})
		}
		return s
	}
	c.top = topics.Topology{Cluster: "c", Input: state("in", 1<<40), Output: state("out", 0),
		DeadLetters: state("dead", 0)}
	return c
}

// last is the partition without a backlog.
func (c *backlogged) last() int32 { return int32(len(c.top.Input.Partitions) - 1) }

// Topology implements topics.Log.
func (c *backlogged) Topology(context.Context) (*topics.Topology, error) {
	top := c.top
	return &top, nil
}

// Watch implements topics.Log.
func (c *backlogged) Watch(ctx context.Context, _ *topics.Topology) (*topics.Topology, error) {
	return c.Topology(ctx)
}

// Ends implements topics.Log.
func (c *backlogged) Ends(context.Context, bool, func([]topics.PartitionEnd)) {}
func (c *backlogged) Written(context.Context) (e topics.Ends, _ error)        { return e, nil }
func (c *backlogged) Reachable(context.Context) error                         { return nil }

// Skip implements topics.Log.
func (c *backlogged) Skip([]topics.SkipRange) {}

// EpochEnds implements topics.Log.
func (c *backlogged) EpochEnds(_ context.Context, _ topics.Topic, r []topics.Reached) ([]int64, error) {
	return slices.Repeat([]int64{-1}, len(r)), nil
}

// LeadersOf implements topics.Log.
func (c *backlogged) LeadersOf(context.Context, topics.Ends) (e topics.EndEpochs, _ error) {
	return e, nil
}

// Known implements topics.Log.
func (c *backlogged) Known(topics.Topic, string, int) {}

// Open implements topics.Opener.
func (c *backlogged) Open(_ topics.Topic, partition int32, _ int64) topics.Reader {
	return &backloggedReader{c, partition == c.last()}
}

type backloggedReader struct {
	c     *backlogged
	quiet bool
}

const (
	responses    = 3000 // records in a response: after them a reader would wait for the next one
	shareRecords = 4096
)

func (r *backloggedReader) Read(ctx context.Context, run *topics.Run, max int) error {
	at := run.Next
	if r.quiet {
		select {
		case <-r.c.quiet:
			max = 1
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	run.Reset(run.Partition, at+int64(max))
	for i := range int64(max) {
		run.Records = append(run.Records, topics.Record{Offset: at + i, Value: []byte(`{"label":1,"x":1}`)})
	}
	run.More = !r.quiet && at/responses == run.Next/responses
	run.Behind = !r.quiet
	return nil
}

// Takeover implements topics.Journal.
func (c *backlogged) Takeover(ctx context.Context, _ topics.Producer) (*topics.Fence, error) {
	return c.Renew(ctx, false)
}

// Renew implements topics.Journal.
func (c *backlogged) Renew(context.Context, bool) (*topics.Fence, error) {
	n := len(c.top.Output.Partitions)
	return &topics.Fence{Producer: topics.Producer{ID: 1}, Output: make([]int64, n), DeadLetters: make([]int64, n)}, nil
}

// Prove implements topics.Journal.
func (c *backlogged) Prove(context.Context) error { return nil }

// Owned implements topics.Journal.
func (c *backlogged) Owned(context.Context) error { return nil }

// Append implements topics.Journal.
func (c *backlogged) Append(ctx context.Context, batches []topics.Batch) error {
	c.air = batches
	for _, b := range batches {
		c.share = max(c.share, b.Records.Len())
		c.sizes = append(c.sizes, b.Records.Len())
	}
	select {
	case <-c.next:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// Commit implements topics.Committer.
func (c *backlogged) Commit(context.Context, []int64) error { return nil }

// Committed implements topics.Committer.
func (c *backlogged) Committed(context.Context) ([]int64, error) { return nil, nil }

func (c *backlogged) task(t *testing.T) *stream.Task {
	options := event.Defaults(event.JSON)
	options.Bits = 12
	return (&stream.Task{Log: c, Journal: c, Group: c, Logger: zerolog.Nop(),
		Store: &checkpoint.Store{FS: checkpoint.OS{}, Dir: filepath.Join(t.TempDir(), "m")},
		Config: state.Config{Model: "m", BatchRecords: shareRecords, ModelConfig: model.Config{Decode: options,
			Learner: learner.Spec{Learner: "perceptron", Scale: "none", Bits: options.Bits}.WithDefaults()}},
	}).Open()
}

// TestBacklogDelaysOthersByTwoFlights: whatever backlog other partitions have, at most two flights without it are sent
// after an event has come, and no share is greater than --chunk-records. Of many partitions, a flight has whole
// responses rather than a little of each. The clock stands still, so no flight ends because of the time it takes.
func TestBacklogDelaysOthersByTwoFlights(t *testing.T) {
	for _, partitions := range []int{2, 3, 16, 100} {
		t.Run(fmt.Sprint(partitions), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newBacklogged(partitions)
				ctx, stop := context.WithCancel(t.Context())
				done := make(chan error)
				go func() { done <- c.task(t).Run(ctx) }()
				synctest.Wait() // the first flight is in the air, and all else is as far ahead as may be
				for event := range 10 {
					c.quiet <- struct{}{}
					synctest.Wait()
					if flights := c.flightsUntil(c.last()); flights > 2 {
						t.Errorf("event %d was delayed by %d flights", event, flights)
					}
				}
				if c.share > shareRecords || partitions <= 3 && c.share < shareRecords-256 {
					t.Errorf("the largest share has %d predictions", c.share)
				}
				if slices.Sort(c.sizes); partitions == 100 && c.sizes[len(c.sizes)/2] < responses/2 {
					t.Errorf("half of the batches have at most %d predictions", c.sizes[len(c.sizes)/2])
				}
				close(c.next)
				stop()
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// flightsUntil lets flights be written until one in the air has a partition, and counts those sent meanwhile that have
// not.
func (c *backlogged) flightsUntil(partition int32) (n int) {
	for {
		c.next <- struct{}{}
		synctest.Wait()
		for _, b := range c.air {
			if b.Partition == partition {
				return n
			}
		}
		n++
	}
}
