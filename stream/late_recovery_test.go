package stream_test

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream/topics"
)

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
	s.Wrap = func(l topics.Log) topics.Log { return countingLog{l, &read} }
	if c := s.MustRun(t).Status().Counts; c.Labels.Outcomes["labelled"] != 2*n {
		t.Errorf("%+v", c)
	}
	if most := int64(8 * 2 * n); read.Load() > most {
		t.Errorf("%d events are read, want %d at most", read.Load(), most)
	}
}
