package stream_test

import (
	"fmt"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/streamtest"
)

// TestGroupCoordinatorUnavailable (row 34): offset commits fail all the time; the daemon counts that, and goes on
// learning.
func TestGroupCoordinatorUnavailable(t *testing.T) {
	t.Parallel()
	needsFake(t)
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.OffsetCommit}, Err: kerr.GroupAuthorizationFailed, Count: 1})
	s.Cluster.Fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.OffsetCommit}, Err: kerr.CoordinatorNotAvailable, Count: -1})
	s.Cluster.Produce(t, s.Name, 0, good(100)...)
	late := streamtest.Timeout(t, 20*time.Second)
	task := s.MustRun(t)
	if st := task.Status(); st.Counts.Predictions != 100 || st.Saved.Seq != 100 || st.CommitFails == 0 {
		t.Errorf("%d predictions, saved at %d, %d failed commits", st.Counts.Predictions, st.Saved.Seq, st.CommitFails)
	}
	if late.Err() != nil {
		t.Error("the commits held the run up")
	}
	s.Audit(t)
}

// TestClockJumps (row 47): the clock of a producer jumps an hour forth and back. Records are predicted in the
// order of their offsets all the same, and a restart finds no difference. No clock of our own reaches an order either:
// what the daemon measures it measures with the monotonic one, and the age of a fence with both (TestAge).
func TestClockJumps(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	now := time.Now()
	for i := range 60 {
		at := now.Add(time.Duration(i%3-1) * time.Hour)
		s.Cluster.ProduceRecords(t, s.Name, 0, kafkago.Record{Time: at,
			Value: kafkago.NewBytes(fmt.Appendf(nil, `{"label":%d,"x":%d}`, 2*(i%2)-1, i%7))})
		if i%20 == 9 {
			s.MustRun(t)
		}
	}
	s.MustRun(t)
	for i, a := range s.Audit(t).Predictions {
		if a.Offset != int64(i) {
			t.Errorf("prediction %d is of offset %d", i+1, a.Offset)
		}
	}
}
