package simulation

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/topics"
)

// seat is a process's part in a group that knows nothing: it assigns the task at random times, late, again, and to
// several processes at once, revokes assignments, and lets one process in three leave. Only the fence keeps them apart.
type seat struct {
	w      *world
	rng    *rand.Rand
	round  int32
	revoke context.CancelFunc // the newest assignment; the end of the process does, too
	leaves time.Time          // when it leaves; zero: never
}

// newSeat makes a process a member in two worlds of five; in each, half of the processes are.
func (w *world) newSeat(p *process) stream.Membership {
	r := rand.New(rand.NewPCG(w.seed, 7<<32|uint64(p.id)))
	if w.seed%5 > 1 || r.IntN(2) == 0 {
		return nil
	}
	w.count("members")
	p.seat = &seat{w: w, rng: r}
	if r.IntN(3) == 0 {
		p.seat.leaves = time.Now().Add(p.seat.atRandom() + p.seat.atRandom())
	}
	return p.seat
}

var errLeft = errors.New("the member has left")

// Assigned implements stream.Membership.
func (s *seat) Assigned(ctx context.Context, _ int32) (context.Context, int32, error) {
	wait := time.NewTimer(s.atRandom())
	defer wait.Stop()
	select {
	case <-wait.C:
		if s.Left() {
			return nil, 0, errLeft
		}
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
	s.round++
	s.w.count("assignments")
	if s.rng.IntN(2) > 0 {
		ctx, s.revoke = context.WithTimeout(ctx, s.atRandom())
	}
	return ctx, s.round, nil
}

func (s *seat) atRandom() time.Duration {
	return time.Duration(s.rng.IntN([]int{10, 2000, 20_000}[s.rng.IntN(3)])) * time.Millisecond
}

// Left implements stream.Membership.
func (s *seat) Left() bool { return !s.leaves.IsZero() && time.Now().After(s.leaves) }

// looks are those of a member: the ends of the dead letters may be of earlier than the others, as where one broker
// takes long to respond.
type looks struct {
	stream.Log
	rng *rand.Rand
}

// Written implements stream.Log. A follower alone calls it.
func (l *looks) Written(ctx context.Context) (topics.Ends, error) {
	first, err := l.Log.Written(ctx)
	if err != nil || l.rng.IntN(2) == 0 {
		return first, err
	}
	time.Sleep(time.Duration(l.rng.IntN(200)) * time.Millisecond)
	ends, err := l.Log.Written(ctx)
	ends.DeadLetters = first.DeadLetters
	return ends, err
}
