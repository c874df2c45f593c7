package simulation

import (
	"context"
	"math/rand/v2"
	"time"

	"rosenblatt/stream"
)

// seat is a process's part in a group that knows nothing: it assigns the task at random times, late, again, and to
// several processes at once. Only the fence keeps them apart.
type seat struct {
	w     *world
	rng   *rand.Rand
	round int32
}

// newSeat makes a process a member in two worlds of five; in each, half of the processes are.
func (w *world) newSeat(p *process) stream.Membership {
	r := rand.New(rand.NewPCG(w.seed, 7<<32|uint64(p.id)))
	if w.seed%5 > 1 || r.IntN(2) == 0 {
		return nil
	}
	p.member = true
	w.count("members")
	return &seat{w: w, rng: r}
}

// Assigned implements stream.Membership.
func (s *seat) Assigned(ctx context.Context, _ int32) (int32, error) {
	wait := time.NewTimer(time.Duration(s.rng.IntN([]int{10, 2000, 20_000}[s.rng.IntN(3)])) * time.Millisecond)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	s.round++
	s.w.count("assignments")
	return s.round, nil
}

// Left implements stream.Membership.
func (s *seat) Left() bool { return false }
