package simulation

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/group"
	"rosenblatt/stream/topics"
)

// membership is a process's part in a group that knows nothing: it assigns the task at random times, late, again, and
// to several processes at once, revokes assignments, and lets one process in three leave. Only the fence keeps them
// apart.
type membership struct {
	w      *world
	rng    *rand.Rand
	number int32
	revoke context.CancelFunc // the newest assignment; the end of the process does, too
	leaves time.Time          // when it leaves; zero: never
	asked  chan struct{}      // who is alive
}

// newMembership makes a process a member in two worlds of five; in each, half of the processes are.
func (w *world) newMembership(p *process) stream.Membership {
	r := rand.New(rand.NewPCG(w.seed, 7<<32|uint64(p.id)))
	if w.seed%5 > 1 || r.IntN(2) == 0 {
		return nil
	}
	w.count("members")
	p.member = &membership{w: w, rng: r, asked: make(chan struct{}, 1)}
	if r.IntN(3) == 0 {
		p.member.leaves = time.Now().Add(p.member.atRandom() + p.member.atRandom())
	}
	return p.member
}

var errLeft = errors.New("the member has left")

// Assigned implements stream.Membership.
func (m *membership) Assigned(ctx context.Context, _ int32) (g group.Given, err error) {
	wait := time.NewTimer(m.atRandom())
	defer wait.Stop()
	select {
	case <-m.asked:
		if m.rng.IntN(2) == 0 { // somebody else is alive, or given the task
			return m.Assigned(ctx, 0)
		}
		m.w.count("assignments by suspicion")
	case <-wait.C:
		if m.Left() {
			return g, errLeft
		}
	case <-ctx.Done():
		return g, ctx.Err()
	}
	m.number++
	m.w.count("assignments")
	if m.rng.IntN(2) > 0 {
		ctx, m.revoke = context.WithTimeout(ctx, m.atRandom())
	}
	return group.Given{Assigned: ctx, Number: m.number}, nil
}

// Suspect implements stream.Membership: every other time this group assigns the task because of it, whoever is live.
func (m *membership) Suspect(waited time.Duration) group.Doubt {
	if waited < suspectsAfter {
		return group.Doubt{After: suspectsAfter}
	}
	select {
	case m.asked <- struct{}{}:
	default:
	}
	if m.w.isLive() {
		m.w.count("suspected wrongly")
	} else {
		m.w.count("suspected rightly")
	}
	return group.Doubt{Asked: true, After: suspectsAfter}
}

// Awaits implements stream.Membership.
func (m *membership) Awaits() string { return "" }

// isLive reports whether a process that is not stopped predicts.
func (w *world) isLive() bool {
	w.mu.Lock()
	all := slices.Clone(w.processes)
	w.mu.Unlock()
	return slices.ContainsFunc(all, func(p *process) bool {
		p.mu.Lock()
		stopped := p.gate != nil
		p.mu.Unlock()
		return p.made.Load() && !stopped && !p.dead.Load() && p.task.Status().State == board.Live
	})
}

// suspectsAfter is for how long work waits before a member asks.
const suspectsAfter = 300 * time.Millisecond

func (m *membership) atRandom() time.Duration {
	return time.Duration(m.rng.IntN([]int{10, 2000, 20_000}[m.rng.IntN(3)])) * time.Millisecond
}

// Left implements stream.Membership.
func (m *membership) Left() bool { return !m.leaves.IsZero() && time.Now().After(m.leaves) }

// looks are those of a member: the ends of the dead letters may be of earlier than the others, as where one broker
// takes long to respond.
type looks struct {
	topics.Log
	rng *rand.Rand
}

// Written implements topics.Log. A follower alone calls it.
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
