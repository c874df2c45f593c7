package stream_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/topics"
)

// countedInput counts the records of the input that are read.
type countedInput struct {
	stream.Log
	n *atomic.Int64
}

func (l countedInput) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	r := l.Log.Open(topic, partition, from)
	if topic == topics.Input {
		return countedReader{r, l.n}
	}
	return r
}

type countedReader struct {
	topics.Reader
	n *atomic.Int64
}

func (r countedReader) Read(ctx context.Context, run *topics.Run, most int) error {
	before := len(run.Records)
	err := r.Reader.Read(ctx, run, most)
	r.n.Add(int64(len(run.Records) - before))
	return err
}

// TestLateRecoveryReads: labels that come in random order are learned again without reading the events between theirs
// again and again.
func TestLateRecoveryReads(t *testing.T) {
	t.Parallel()
	const n = 5000
	s, begin := lateSetup(t, 2, 1, 1), time.Now().Add(-24*time.Hour)
	s.Config.Labels.Memory = 600_000 // of some 2 million bytes that all of them take
	s.Config.Labels.Wait = (24 * time.Hour).Milliseconds()
	for p := range 2 {
		s.Cluster.ProduceRecords(t, s.Name, p, at(begin, unlabelled(p*n, p*n+n)...)...)
	}
	s.MustRun(t)
	old := copyState(t, s)
	random := rand.New(rand.NewPCG(1, 1)).Perm(2 * n)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(time.Minute), labelsOf(random...)...)...)
	s.MustRun(t)
	s.Dir = old
	var read atomic.Int64
	s.Wrap = func(l stream.Log) stream.Log { return countedInput{l, &read} }
	if c := s.MustRun(t).Status().Counts; c.Labels.Outcomes["labelled"] != 2*n {
		t.Errorf("%+v", c)
	}
	if most := int64(8 * 2 * n); read.Load() > most {
		t.Errorf("%d events are read, want %d at most", read.Load(), most)
	}
}
