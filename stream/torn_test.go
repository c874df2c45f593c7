package stream_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// torn is a setup whose last flight lacks the share of its first partition, which is returned. No checkpoint is due
// soon.
func torn(t *testing.T) (s *streamtest.Setup, missing int32) {
	t.Helper()
	s = wide(t, 3)
	cut(t, s, 2, func(i int, b *topics.Batch) int {
		if i > 0 {
			return b.Records.Len()
		}
		missing = b.Partition
		return 0
	})
	s.Config.CheckpointInterval, s.Config.CheckpointEvery = time.Hour, 0
	return s, missing
}

// crashAt runs the task until its n-th write of predictions, of which nothing arrives.
func crashAt(t *testing.T, s *streamtest.Setup, n int) {
	t.Helper()
	s.Adjust = func(task *stream.Task) {
		task.Journal = &cutJournal{Journal: task.Journal, left: n, any: true,
			keep: func(int, *topics.Batch) int { return 0 }}
	}
	defer func() { s.Adjust = nil }()
	if _, err := s.Run(t); !errors.Is(err, errPlug) {
		t.Fatal(err)
	}
}

// TestTornConfig: a new configuration that is accepted at a torn flight is in a checkpoint before anything is predicted
// under it; and it is in none before the flight is complete.
func TestTornConfig(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3} { // the completion, the first new flight, the one after that
		s, _ := torn(t)
		s.Config.ModelConfig.Learner.Threshold = 0.5
		s.Config.Accept = []string{stops.ConfigDiffers}
		crashAt(t, s, n)
		s.Config.Accept = nil
		if n == 1 {
			wantStop(t, s, stops.ConfigDiffers)
			s.Config.Accept = []string{stops.ConfigDiffers}
		}
		s.MustRun(t)
	}
}

// TestTornInputGone: a hole in seq that is accepted is in a checkpoint before anything new is predicted.
func TestTornInputGone(t *testing.T) {
	t.Parallel()
	s, missing := torn(t)
	s.Cluster.DeleteRecords(t, s.Name, missing, boundsOf(t, s).Input.Partitions[missing].End)
	s.Config.Accept = []string{stops.InputGone}
	crashAt(t, s, 2)
	s.Config.Accept = nil
	s.MustRun(t)
}

// doubtJournal leaves its first write indeterminate.
type doubtJournal struct {
	topics.Journal
	written bool
	cause   error
	called  func() // in the first write
	calls   int
	held    []topics.Producer // at each takeover
}

func (j *doubtJournal) Takeover(ctx context.Context, held topics.Producer) (*topics.Fence, error) {
	j.held = append(j.held, held)
	return j.Journal.Takeover(ctx, held)
}

func (j *doubtJournal) Append(ctx context.Context, b []topics.Batch) error {
	if j.calls++; j.calls > 1 {
		return j.Journal.Append(ctx, b)
	}
	j.called()
	if j.written {
		for i := range b {
			var same recordbatch.Builder
			b[i].Records.CopyRange(&same, 0, b[i].Records.Len(), nil)
			b[i].Records = &same
		}
		if err := j.Journal.Append(context.WithoutCancel(ctx), b); err != nil {
			return err
		}
	}
	return j.cause
}

// TestCompletionInDoubt: a start whose completion is indeterminate recovers as the process that it is by then, and what
// it accepts holds for that, too.
func TestCompletionInDoubt(t *testing.T) {
	t.Parallel()
	for _, written := range []bool{false, true} {
		s, _ := torn(t)
		s.Config.ModelConfig.Learner.Threshold = 0.5
		j := &doubtJournal{written: written, cause: topics.ErrIndeterminate, called: func() {}}
		s.Adjust = func(task *stream.Task) { j.Journal, task.Journal = task.Journal, j }
		s.Config.Accept = []string{stops.ConfigDiffers}
		task := s.MustRun(t)
		if len(j.held) != 2 || j.held[0] != topics.NoProducer || j.held[1] == topics.NoProducer {
			t.Errorf("the takeovers hold %v", j.held)
		}
		if a := task.Status().Accepted; len(a) != 1 || a[0].Name != stops.ConfigDiffers {
			t.Errorf("accepted: %+v", a)
		}
		s.Adjust, s.Config.Accept = nil, nil
		s.MustRun(t)
	}
}

// TestStopInCompletion: a start that is stopped while it completes a flight may have published some of it.
func TestStopInCompletion(t *testing.T) {
	t.Parallel()
	s, _ := torn(t)
	ctx, stop := context.WithCancel(t.Context())
	j := &doubtJournal{written: true, cause: context.Canceled, called: stop}
	s.Adjust = func(task *stream.Task) { j.Journal, task.Journal = task.Journal, j }
	if err := s.Task(t).Run(ctx); !errors.Is(err, stream.ErrUnfinished) {
		t.Error(err)
	}
	s.Adjust = nil
	s.MustRun(t)
	s.Audit(t)
	verified(t, s)
}
