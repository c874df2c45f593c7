package stream_test

import (
	"context"
	"sync"
	"testing"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

// revoked starts a writer and a member that is given the task; adjust alters its task.
func revoked(t *testing.T, adjust func(*stream.Task)) (writer, m *standby) {
	s := streamtest.New(t, streamtest.Start(t), 1)
	writer = member(t, s, s.Dir)
	writer.rounds <- 1
	s.Cluster.Produce(t, s.Name, 0, events(1, 50)...)
	writer.await(t, board.Live, 49)
	own := *s
	own.Adjust = adjust
	m = member(t, &own, t.TempDir())
	m.revoked = make(chan struct{})
	m.rounds <- 1
	return writer, m
}

// follows checks that the member does not take over before it is given the task anew.
func (m *standby) follows(t *testing.T, writer *standby) {
	t.Helper()
	m.setup.Cluster.Produce(t, m.setup.Name, 0, events(2, 1)...)
	writer.await(t, board.Live, 50)
	streamtest.Await(t, "it follows", func() bool {
		s := m.Status()
		if s.State == board.Live {
			t.Fatal("it took over")
		}
		if s.State == board.Following && s.TakingOver {
			t.Fatal("it follows, and says that it takes over")
		}
		return s.State == board.Following && s.Seq == 50
	})
	m.rounds <- 2
	m.await(t, board.Live, 50)
}

// An assignment may be over before the member has loaded its checkpoint: another one may be live with it.
func TestRevokedWhileLoading(t *testing.T) {
	t.Parallel()
	loading, loaded := make(chan struct{}), make(chan struct{})
	writer, m := revoked(t, func(task *stream.Task) {
		prepare, once := task.Prepare, sync.Once{}
		task.Prepare = func(ctx context.Context) error {
			once.Do(func() { close(loading) })
			<-loaded
			if prepare == nil {
				return nil
			}
			return prepare(ctx)
		}
	})
	<-loading
	m.revoke()
	close(loaded)
	m.follows(t, writer)
}

// A takeover that is not through when the group gives the task to another one must not fence that.
func TestRevokedWhileFencing(t *testing.T) {
	t.Parallel()
	fencing := make(chan struct{})
	writer, m := revoked(t, func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal, takeover: func(ctx context.Context, call int) error {
			if call > 1 {
				return nil
			}
			close(fencing)
			<-ctx.Done()
			return ctx.Err()
		}}
	})
	<-fencing
	if s := m.Status(); !s.TakingOver || s.State == board.Live {
		t.Errorf("it does not say that it takes over: %s", s.State)
	}
	m.revoke()
	m.follows(t, writer)
	if m.Status().TakingOver {
		t.Error("it is live, and says that it takes over")
	}
}
