package stream_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// unwritable is a checkpoint topic whose partition takes no batch.
type unwritable struct{ statetopic.Log }

func (unwritable) Append(ctx context.Context, _ *recordbatch.Builder) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestJudgedAgainBelowAManifest: a writer has saved in its folder alone when it ends. A member takes over that does not
// know what it has passed without an entry, and judges labels again. Whoever begins with the checkpoint of that folder
// follows it, and verify finds nothing from there.
func TestJudgedAgainBelowAManifest(t *testing.T) {
	t.Parallel()
	closed := new(atomic.Bool)
	x := newRepeats(t, func(s *streamtest.Setup) {
		s.Config.Labels.Limits.Settled = 10
		s.Adjust = func(task *stream.Task) { task.Checkpoints = closedTopic{task.Checkpoints, closed} }
	})
	f := *x.Setup
	f.Config.Grace = 10 * time.Millisecond
	f.Adjust = func(task *stream.Task) { task.Checkpoints = unwritable{task.Checkpoints} }
	b := member(t, &f, t.TempDir())
	b.await(t, board.Following, 20)
	closed.Store(true)
	x.produce(t, x.Kafka.Labels, 1, 40*time.Second, labelsOf(3)...)
	x.writer.at(t, topics.Labels, 10, 1)
	x.produce(t, x.Name, 0, 50*time.Second, unlabelled(10, 20)...)
	x.produce(t, x.Kafka.Labels, 0, 70*time.Second, labelsOf(10, 11, 12, 13, 14, 15, 16, 17, 18, 19)...)
	x.both(t, 40)
	x.produce(t, x.Name, 0, 80*time.Second, unlabelled(3, 4)...)
	x.both(t, 41)
	b.await(t, board.Following, 41)
	x.writer.stop()
	<-x.writer.ended // the topic does not have its last checkpoint
	if h, _ := headerOf(t, x.writer.setup); h.Seq != 41 || h.LabelPositions[1] != 1 {
		t.Fatalf("seq %d, labels at %v", h.Seq, h.LabelPositions)
	}
	b.rounds <- 2
	b.await(t, board.Live, 42) // the repeat is the label of the newer event
	streamtest.Await(t, "its acknowledgement", func() bool { return b.Status().Unacknowledged == 0 })
	b.stop()
	<-b.ended
	closed.Store(false)
	if saved := b.Status().Saved.Topic; saved != nil {
		t.Fatalf("it has saved manifest %+v", saved)
	}
	x.follower.await(t, board.Following, 42)
	c := member(t, x.Setup, copied(t, x.writer.setup.Dir))
	c.await(t, board.Following, 42)
	streamtest.Await(t, "its checkpoint", func() bool { return c.Status().Saved.Seq == 42 })
	c.end(t)
	if h, _ := headerOf(t, c.setup); h.Seq != 42 || h.LabelPositions[1] != 1 {
		t.Errorf("seq %d, labels at %v", h.Seq, h.LabelPositions)
	}
	x.follower.rounds <- 3
	x.follower.await(t, board.Live, 42)
	x.verified(t)
	soundFrom(t, x.Setup, x.writer.setup.Dir)
}
