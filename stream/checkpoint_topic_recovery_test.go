package stream_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"rosenblatt/stream"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// agingJournal takes over, and returns when its fence is old.
type agingJournal struct {
	topics.Journal
	old time.Duration
}

func (j agingJournal) Takeover(ctx context.Context, held topics.Producer) (*topics.Fence, error) {
	f, err := j.Journal.Takeover(ctx, held)
	<-time.After(j.old)
	return f, err
}

// TestRecoveryLongerThanAFence: a recovery may last until its fence is too old for pieces of checkpoints, and nothing
// of it waits for a young one for ever: neither the checkpoints that it saves on its way nor the one at its end.
func TestRecoveryLongerThanAFence(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Config.CheckpointInterval = time.Millisecond
	s.Kafka.RenewEvery = time.Second
	topic := s.State
	produceTo(t, s, 1, 100, 1)
	s.MustRun(t)
	s.State = ""
	produceTo(t, s, 1, 3000, 2)
	s.MustRun(t)
	s.State = topic
	loseFolder(t, s)
	s.Adjust = func(task *stream.Task) { task.Journal = agingJournal{task.Journal, s.Kafka.RenewEvery} }
	if st := s.MustRun(t).Status(); st.Recovered.Predictions < 2500 {
		t.Errorf("only %d predictions were learned again", st.Recovered.Predictions)
	}
	s.Audit(t)
}

// slowTopic writes its first batch when the fence is old.
type slowTopic struct {
	statetopic.Log
	wait func()
}

func (l slowTopic) Append(ctx context.Context, b *recordbatch.Builder) error {
	l.wait()
	return l.Log.Append(ctx, b)
}

// TestSaveLongerThanAFence: the fence may age while the first checkpoint is being saved, as where the checkpoint
// topic's broker is away.
func TestSaveLongerThanAFence(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Kafka.RenewEvery = time.Second
	produceTo(t, s, 1, 100, 1)
	wait := sync.OnceFunc(func() { <-time.After(s.Kafka.RenewEvery) })
	s.Adjust = func(task *stream.Task) { task.Checkpoints = slowTopic{task.Checkpoints, wait} }
	s.MustRun(t)
	s.Audit(t)
}

// TestLastSaveLongerThanAFence: likewise while the last one is being saved.
func TestLastSaveLongerThanAFence(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Kafka.RenewEvery, s.Config.CheckpointInterval = time.Second, time.Hour
	produceTo(t, s, 1, 100, 1)
	s.Adjust = func(task *stream.Task) {
		wait := func() {
			if of := task.Status().Partitions; len(of) > 0 && of[0].Position == 100 {
				<-time.After(s.Kafka.RenewEvery)
			}
		}
		task.Checkpoints = slowTopic{task.Checkpoints, wait}
	}
	s.MustRun(t)
	s.Audit(t)
}

// TestIndeterminatePieceOfATornFlight: where a flight is torn, too, an indeterminate piece leads to another takeover.
func TestIndeterminatePieceOfATornFlight(t *testing.T) {
	t.Parallel()
	needsFake(t)
	s, _ := torn(t)
	withTopic(t, s)
	failSave(s, kerr.OutOfOrderSequenceNumber, 1)
	if st := s.MustRun(t).Status(); st.Epoch != 3 || st.Saved.Topic == nil {
		t.Errorf("epoch %d, saved %+v", st.Epoch, st.Saved)
	}
	s.Audit(t)
}

// TestStartNeedsTheTopic: a start whose first checkpoint is in the folder alone publishes nothing, though the disk is
// full when it recovers in process: without the folder, nobody could go on.
func TestStartNeedsTheTopic(t *testing.T) {
	t.Parallel()
	needsFake(t)
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	produceTo(t, s, 1, 100, 1)
	failSave(s, kerr.OutOfOrderSequenceNumber, 1)
	s.Adjust = fullAfter(1)
	wantStop(t, s, stops.StateUnwritable)
	s.Adjust = nil
	loseFolder(t, s)
	s.MustRun(t)
	s.Audit(t)
}
