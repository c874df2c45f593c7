package stream_test

import (
	"context"
	"sync/atomic"
	"testing"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// waitingTopic is a checkpoint topic whose writer waits.
type waitingTopic struct {
	statetopic.Log
	waits   atomic.Bool
	release chan struct{}
}

func (l *waitingTopic) Append(ctx context.Context, b *recordbatch.Builder) error {
	if l.waits.Load() {
		select {
		case <-l.release:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return l.Log.Append(ctx, b)
}

func (l *waitingTopic) of(s *streamtest.Setup) *streamtest.Setup {
	own := *s
	own.Adjust = func(task *stream.Task) { l.Log, task.Checkpoints = task.Checkpoints, l }
	return &own
}

// TestStartBeforeTheFirstSave: a member without a folder starts when another one has taken over and not saved yet: what
// comes behind the newest checkpoint is deleted. It waits for the next one.
func TestStartBeforeTheFirstSave(t *testing.T) {
	t.Parallel()
	s := quick(t, streamtest.New(t, streamtest.Start(t), 1))
	writers := &waitingTopic{release: make(chan struct{})}
	a := member(t, writers.of(s), s.Dir)
	a.rounds <- 1
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	a.await(t, board.Live, 10)
	streamtest.Await(t, "a checkpoint", func() bool {
		saved := a.Status().Saved
		return saved.Seq == 10 && saved.Topic != nil
	})
	writers.waits.Store(true)
	followers := &waitingTopic{release: make(chan struct{})}
	followers.waits.Store(true)
	b := member(t, followers.of(s), t.TempDir())
	b.await(t, board.Following, 10)
	s.Cluster.OpenTransaction(t, s.Name, 0, good(1)...)(false)
	a.at(t, topics.Input, 12)
	b.at(t, topics.Input, 12)
	s.Cluster.DeleteRecords(t, s.Name, 0, 12)
	b.rounds <- 2
	b.await(t, board.Live, 10)

	hooked, c := new(hookedTopology), *s
	c.Wrap = func(l topics.Log) topics.Log {
		hooked.Log, hooked.hook = l, func() {}
		return hooked
	}
	late := member(t, &c, t.TempDir())
	streamtest.Await(t, "three starts", func() bool {
		select {
		case err := <-late.ended:
			t.Fatalf("the member ended: %v", err)
		default:
		}
		return hooked.calls.Load() >= 6 // each looks twice
	})
	close(followers.release)
	late.await(t, board.Following, 10)
	late.at(t, topics.Input, 12)
	close(writers.release)
}
