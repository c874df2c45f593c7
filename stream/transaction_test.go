package stream_test

import (
	"testing"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

// TestOpenTransactionIsLag: what is behind an open transaction is part of the lag, for a run to the end too, until the
// transaction ends (row 43).
func TestOpenTransactionIsLag(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.WatchEvery = 20 * time.Millisecond
	input := events(1, 111)
	s.Cluster.Produce(t, s.Name, 0, input[:10]...)
	end := s.Cluster.OpenTransaction(t, s.Name, 0, input[10])
	s.Cluster.Produce(t, s.Name, 0, input[11:]...)
	held := board.PartitionStatus{Position: 10, End: 10, StableLag: 101}
	if st := s.MustRun(t).Status(); st.Lag() != 101 || st.Partitions[0] != held {
		t.Errorf("after a run to the end: %+v, want %+v", st.Partitions, held)
	}

	task, stop, _ := live(t, s)
	var listed time.Time
	streamtest.Await(t, "the ends are listed", func() bool {
		st := task.Status()
		listed = st.EndsAt
		return st.State == board.Live && !listed.IsZero()
	})
	streamtest.Await(t, "the ends are listed again", func() bool { return task.Status().EndsAt.After(listed) })
	if st := task.Status(); st.Lag() != 101 || st.Partitions[0] != held {
		t.Errorf("live: %+v, want %+v", st.Partitions, held)
	}
	end(true)
	streamtest.Await(t, "the rest", func() bool {
		st := task.Status()
		return st.Counts.Read == 111 && st.Lag() == 0
	})
	if err := stop(); err != nil {
		t.Error(err)
	}
	s.Audit(t)
}
