package stream_test

import (
	"testing"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

// TestBoundOfAManifest: a process with another bound of settled ids saves, and publishes nothing. A member that has not
// read that checkpoint when it takes over goes on from it: others could not follow it otherwise.
func TestBoundOfAManifest(t *testing.T) {
	t.Parallel()
	s := withTopic(t, lateSetup(t, 1, 1, 1))
	s.Config.CheckpointInterval, s.Config.Labels.Settled = time.Hour, 100
	begin := time.Now().Add(-time.Hour)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 5)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(10*time.Second), labelsOf(0, 1, 2, 3, 4)...)...)
	s.MustRun(t)
	b := takeoverBetween(t, s, func() {
		other, labels := *s, *s.Config.Labels
		other.Dir, other.Config.Labels = t.TempDir(), &labels
		labels.Settled = 2
		other.MustRun(t)
	})
	b.await(t, board.Live, 10)
	if st := b.Status(); st.Epoch != 3 {
		t.Errorf("epoch %d after 2", st.Epoch)
	}
	again := append(unlabelled(0, 1), unlabelled(9, 12)...)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin.Add(time.Minute), again...)...)
	b.await(t, board.Live, 14)
	c := s.Client(t)
	streamtest.Await(t, "published", func() bool { return published(t, c, s) == 14 })
	m := member(t, s, t.TempDir())
	m.await(t, board.Following, 14)
	for _, x := range []*standby{b, m} {
		x.stop()
		if err := <-x.ended; err != nil {
			t.Error(err)
		}
	}
}
