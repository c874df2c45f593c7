package stream_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// heldTopic is a checkpoint topic of which nothing is read from a time on.
type heldTopic struct {
	statetopic.Log
	held    atomic.Bool
	waits   atomic.Bool // a reader does
	release chan struct{}
}

func (l *heldTopic) Open(from int64) topics.Reader { return &heldReader{l.Log.Open(from), l} }

type heldReader struct {
	topics.Reader
	topic *heldTopic
}

func (r *heldReader) Read(ctx context.Context, run *topics.Run, most int) error {
	if r.topic.held.Load() {
		r.topic.waits.Store(true)
		select {
		case <-r.topic.release:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return r.Reader.Read(ctx, run, most)
}

// hookedTopology calls a test before the topology is listed the second time.
type hookedTopology struct {
	topics.Log
	calls atomic.Int32
	hook  func()
}

func (l *hookedTopology) Topology(ctx context.Context) (*topics.Topology, error) {
	if l.calls.Add(1) == 2 {
		l.hook()
	}
	return l.Log.Topology(ctx)
}

// TestOvertaken: a follower for which records were deleted, as one that was suspended, loads the newer checkpoint that
// does not need them. Where there is none, it is a stop.
func TestOvertaken(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Config.CheckpointInterval = 10 * time.Millisecond
	writer := member(t, s, s.Dir)
	writer.rounds <- 1
	saved := func(seq int64) {
		streamtest.Await(t, "a checkpoint", func() bool {
			st := writer.Status()
			return st.Saved.Topic != nil && st.Saved.Seq == seq
		})
	}
	produceTo(t, s, 1, 50, 1)
	saved(49)
	f := *s
	f.Wrap = func(l topics.Log) topics.Log {
		return &hookedTopology{Log: l, hook: func() {
			produceTo(t, s, 1, 50, 2)
			saved(98)
			s.Cluster.DeleteRecords(t, s.Name, 0, 80)
		}}
	}
	b := member(t, &f, t.TempDir())
	b.await(t, board.Following, 98)
	if b.sum(t) != writer.sum(t) {
		t.Error("the follower has another model")
	}
	produceTo(t, s, 1, 50, 3)
	saved(147)
	writer.stop()
	<-writer.ended
	s.Cluster.Produce(t, s.Name, 0, events(4, 50)...)
	s.Cluster.DeleteRecords(t, s.Name, 0, 180)
	c := member(t, s, t.TempDir())
	c.rounds <- 2 // nobody else will save
	if err := <-c.ended; !stops.Is(err, stops.InputGone) {
		t.Errorf("%v, want %s", err, stops.InputGone)
	}
}

// TestTakeoverWhileReadingTheTopic: a follower that reads a large checkpoint goes on following, and takes over. It
// reads the rest before it saves in the topic itself.
func TestTakeoverWhileReadingTheTopic(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Config.CheckpointInterval = 20 * time.Millisecond
	writer := member(t, s, s.Dir)
	writer.rounds <- 1
	produceTo(t, s, 1, 50, 1)
	writer.await(t, board.Live, 49)
	topic, f := &heldTopic{release: make(chan struct{})}, *s
	f.Adjust = func(task *stream.Task) { topic.Log, task.Checkpoints = task.Checkpoints, topic }
	b := member(t, &f, t.TempDir())
	b.await(t, board.Following, 49)
	topic.held.Store(true)
	produceTo(t, s, 1, 50, 2)
	writer.await(t, board.Live, 98)
	streamtest.Await(t, "a read", topic.waits.Load)
	b.await(t, board.Following, 98)
	produceTo(t, s, 1, 50, 3)
	b.await(t, board.Following, 147)
	before := writer.Status().Saved.Topic.Number
	b.rounds <- 2
	b.await(t, board.Live, 147)
	produceTo(t, s, 1, 50, 4)
	b.await(t, board.Live, 196)
	if st := b.Status(); st.Saved.Topic != nil {
		t.Errorf("manifest %+v before the topic was read", st.Saved.Topic)
	}
	close(topic.release)
	streamtest.Await(t, "a checkpoint", func() bool {
		st := b.Status()
		return st.Saved.Seq == 196 && st.Saved.Topic != nil && st.Saved.Topic.Number > before
	})
	b.stop()
	if err := <-b.ended; err != nil {
		t.Fatal(err)
	}
	writer.stop()
	<-writer.ended
	f.Config.UntilEnd, f.Adjust, f.Dir = true, nil, t.TempDir()
	if n := f.MustRun(t).Status().Recovered.Predictions; n != 0 {
		t.Errorf("%d predictions were learned again", n)
	}
	f.Audit(t)
	verified(t, &f)
}
