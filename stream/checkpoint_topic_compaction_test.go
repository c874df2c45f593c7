package stream_test

import (
	"testing"
	"time"

	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// recordsIn counts the records that the checkpoint topic holds.
func recordsIn(t *testing.T, s *streamtest.Setup) (n int64, next int64) {
	t.Helper()
	l := s.Client(t).Journal().Checkpoints()
	from, to, err := l.Bounds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	reader := l.Open(from)
	for run := (topics.Run{Next: from}); run.Next < to; n += int64(len(run.Records)) {
		if err := reader.Read(t.Context(), &run, 1000); err != nil {
			t.Fatal(err)
		}
	}
	return n, to
}

// TestRestoredAfterCompaction: what the brokers leave of the topic is the newest checkpoint, and the one before.
func TestRestoredAfterCompaction(t *testing.T) {
	t.Parallel()
	if streamtest.Real() && testing.Short() {
		t.Skip("brokers clean every 15 seconds")
	}
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.State = s.Name + ".checkpoints"
	s.Cluster.Topic(t, s.State, 1, "cleanup.policy", "compact", "segment.bytes", "1048576",
		"min.cleanable.dirty.ratio", "0.01", "segment.ms", "500")
	s.Config.ModelConfig.Decode.Bits, s.Config.ModelConfig.Learner.Bits = 14, 14
	task, stop, _ := live(t, s)
	streamtest.Await(t, "compaction", func() bool {
		produceTo(t, s, 1, 20, uint64(task.Status().Seq))
		if s.Cluster.Fake != nil {
			s.Cluster.Fake.Compact()
		}
		time.Sleep(10 * time.Millisecond) // the brokers clean every 15 seconds
		held, written := recordsIn(t, s)
		return task.Status().Checkpoints > 8 && held < written/2
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		loseFolder(t, s)
		produceTo(t, s, 1, 50, 7)
		s.Config.UntilEnd = true
		if n := s.MustRun(t).Status().Recovered.Predictions; n != 0 {
			t.Errorf("%d predictions were learned again", n)
		}
	}
	s.Audit(t)
}
