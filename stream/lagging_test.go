package stream_test

import (
	"context"
	"os"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// laggingLog is what a broker tells that does not know all partitions of the input: others are asked only where it is
// known that there are more.
type laggingLog struct {
	topics.Log
	partitions int
	known      int
}

func (l *laggingLog) Known(topic topics.Topic, id string, partitions int) {
	if topic == topics.Input {
		l.known = max(l.known, partitions)
	}
	l.Log.Known(topic, id, partitions)
}

func (l *laggingLog) Topology(ctx context.Context) (*topics.Topology, error) {
	top, err := l.Log.Topology(ctx)
	if err == nil && l.known <= l.partitions {
		top.Input.Partitions = top.Input.Partitions[:l.partitions]
	}
	return top, err
}

// TestLaggingBroker: the broker that a start asks does not know all partitions, those of the checkpoint or those that
// an entry of the journal names.
func TestLaggingBroker(t *testing.T) {
	t.Parallel()
	for _, by := range []string{"checkpoint", "entry"} {
		t.Run(by, func(t *testing.T) {
			s := streamtest.New(t, streamtest.Start(t), 1)
			s.Cluster.Produce(t, s.Name, 0, events(1, 100)...)
			s.MustRun(t)
			other := *s
			if other.Dir = t.TempDir(); by == "checkpoint" {
				other.Dir = s.Dir
			}
			if err := os.CopyFS(other.Dir, os.DirFS(s.Dir)); by == "entry" && err != nil {
				t.Fatal(err)
			}
			s.Cluster.AddPartitions(t, s.Output(), 2)
			s.Cluster.AddPartitions(t, s.Name, 2)
			s.Cluster.Produce(t, s.Name, 1, events(2, 100)...)
			other.MustRun(t)
			s.Cluster.Produce(t, s.Name, 1, events(3, 100)...)
			s.Wrap = func(l topics.Log) topics.Log { return &laggingLog{Log: l, partitions: 1} }
			task := s.MustRun(t)
			s.Wrap = nil
			s.MustRun(t) // up to the end of all partitions
			s.Audit(t)
			if st := task.Status(); len(st.Partitions) != 2 {
				t.Errorf("%d partitions", len(st.Partitions))
			}
		})
	}
}

// TestBeyondTheFence: partitions are there that the fence does not have. The process that had the topics before may be
// live in those, so nothing is published before they are fenced.
func TestBeyondTheFence(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.WatchEvery = time.Hour
	s.Cluster.Produce(t, s.Name, 0, events(1, 100)...)
	j := &fencedJournal{behind: func(call int) {
		if call == 1 {
			s.Cluster.AddPartitions(t, s.Output(), 2)
		}
	}}
	s.Adjust = func(task *stream.Task) { j.Journal, task.Journal = task.Journal, j }
	s.MustRun(t)
	s.Audit(t)
	if j.taken != 2 {
		t.Errorf("%d takeovers", j.taken)
	}
}

// fencedJournal calls behind after each takeover.
type fencedJournal struct {
	topics.Journal
	behind func(call int)
	taken  int
}

func (j *fencedJournal) Takeover(ctx context.Context, held topics.Producer) (*topics.Fence, error) {
	f, err := j.Journal.Takeover(ctx, held)
	j.taken++
	j.behind(j.taken)
	return f, err
}
