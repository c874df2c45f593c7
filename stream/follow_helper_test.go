package stream_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/group"
	"rosenblatt/stream/streamtest"
)

// membership is a member's part in a group that the test decides for.
type membership struct {
	rounds  chan int32
	revoked chan struct{} // twice: ends an assignment; nil: none is revoked
	waited  atomic.Int64  // the longest time for which work has waited
}

var errLeft = errors.New("the member has left")

func (g *membership) Assigned(ctx context.Context, after int32) (group.Given, error) {
	for {
		select {
		case n, more := <-g.rounds:
			switch {
			case !more:
				return group.Given{}, errLeft
			case n > after:
				return group.Given{Assigned: g.untilRevoked(ctx), Number: n}, nil
			}
		case <-ctx.Done():
			return group.Given{}, ctx.Err()
		}
	}
}

// Suspect notes for how long work has waited at most. It asks nobody.
func (g *membership) Suspect(waited time.Duration) group.Doubt {
	g.waited.Store(max(g.waited.Load(), int64(waited)))
	return group.Doubt{}
}

func (g *membership) Awaits() string { return "" }

func (g *membership) untilRevoked(ctx context.Context) context.Context {
	ctx, revoke := context.WithCancel(ctx)
	go func() {
		defer revoke()
		select {
		case <-g.revoked:
			revoke()
			<-g.revoked
		case <-ctx.Done():
		}
	}()
	return ctx
}

func (g *membership) revoke() {
	g.revoked <- struct{}{}
	g.revoked <- struct{}{}
}

func (g *membership) Left() bool { return false }

// standby is a running member of a setup's task, with a folder of its own.
type standby struct {
	*stream.Task
	*membership
	setup *streamtest.Setup
	ended chan error
	stop  context.CancelFunc
}

// liveMember returns a setup with a checkpoint topic, and a member that is live with 50 events.
func liveMember(t *testing.T) (*streamtest.Setup, *standby) {
	t.Helper()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Cluster.Produce(t, s.Name, 0, good(50)...)
	a := member(t, s, s.Dir)
	a.rounds <- 1
	a.await(t, board.Live, 50)
	return s, a
}

// member starts a member of s with the folder dir.
func member(t testing.TB, s *streamtest.Setup, dir string) *standby {
	t.Helper()
	own := *s
	own.Dir, own.Config.UntilEnd = dir, false
	ctx, stop := context.WithCancel(context.Background())
	m := &standby{Task: own.Task(t), membership: &membership{rounds: make(chan int32, 10)}, setup: &own,
		ended: make(chan error, 1), stop: stop}
	m.Standby = m.membership
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		m.ended <- m.Run(ctx)
	}()
	t.Cleanup(func() { stop(); <-ended })
	return m
}

// await waits until the member has a state and the model of a seq.
func (m *standby) await(t testing.TB, state string, seq int64) {
	t.Helper()
	streamtest.Await(t, state, func() bool {
		select {
		case err := <-m.ended:
			t.Fatalf("the member ended: %v", err)
		default:
		}
		s := m.Status()
		return s.State == state && s.Seq == seq
	})
}

// sum is a hash of the member's model. A follower has none while it loads the checkpoint of another epoch.
func (m *standby) sum(t testing.TB) uint64 {
	t.Helper()
	var c stream.ModelCopy
	streamtest.Await(t, "a copy", func() bool {
		err := m.Copy(t.Context(), &c)
		if err != nil && !errors.Is(err, stream.ErrNotLive) {
			t.Fatal(err)
		}
		return err == nil
	})
	return sumOf(t, c.Proc)
}
