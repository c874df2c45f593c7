package stream_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// slowRecall is a log in which readers of the input, but for the first, wait until they are released: events are read
// back slowly.
type slowRecall struct {
	topics.Log
	opened   *atomic.Int64
	released chan struct{}
}

func (l slowRecall) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	r := l.Log.Open(topic, partition, from)
	if topic == topics.Input && l.opened.Add(1) > 1 {
		return slowReader{r, l.released}
	}
	return r
}

type slowReader struct {
	topics.Reader
	released chan struct{}
}

func (r slowReader) Read(ctx context.Context, run *topics.Run, most int) error {
	select {
	case <-r.released:
		return r.Reader.Read(ctx, run, most)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// watched counts how often the topics are looked at.
type watched struct {
	topics.Log
	n *atomic.Int64
}

func (l watched) Watch(ctx context.Context, was *topics.Topology) (*topics.Topology, error) {
	l.n.Add(1)
	return l.Log.Watch(ctx, was)
}

// TestEvictionsHoldEvents: an eviction says the id of its event, which may have to be read back; where that takes long,
// no more events are predicted once many more wait than may.
func TestEvictionsHoldEvents(t *testing.T) {
	t.Parallel()
	const n, most = 3000, 100
	s, begin := lateSetup(t, 1, 1, 1), time.Now().Add(-24*time.Hour)
	s.Config.Labels.Examples, s.Config.Labels.Memory = most, 1 // what is evicted has to be read back
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, n)...)...)
	slow := slowRecall{opened: new(atomic.Int64), released: make(chan struct{})}
	var looked atomic.Int64
	s.Wrap = func(l topics.Log) topics.Log {
		slow.Log = watched{l, &looked}
		return slow
	}
	s.Config.WatchEvery = 20 * time.Millisecond
	task, stop, _ := live(t, s)
	streamtest.Await(t, "too many wait", func() bool {
		late := task.Status().Late
		return late != nil && late.Waiting > most+most/4+1000
	})
	before := looked.Load()
	streamtest.Await(t, "time passes", func() bool { return looked.Load() > before+10 })
	close(slow.released)
	streamtest.Await(t, "some are evicted", func() bool {
		return task.Status().Counts.Labels.Outcomes["evicted"] >= 20
	})
	if err := stop(); err != nil {
		t.Error(err)
	}
	entries, _ := entriesOf(t, s)
	waiting, highest, next := 0, 0, int64(0)
	for _, e := range entries {
		if waiting++; e.Outcome != nil {
			waiting -= 2
			if e.Kind != journal.Evicted || e.Outcome.Of <= next || e.Outcome.ID == nil {
				t.Fatalf("%+v behind the outcome of seq %d", e.Outcome, next)
			}
			next = e.Outcome.Of
		}
		highest = max(highest, waiting)
	}
	if limit := most + most/4 + 1000 + 256; highest > limit || highest <= most {
		t.Errorf("%d waited at once, want %d at most", highest, limit)
	}
}
