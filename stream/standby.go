package stream

import (
	"context"
	"errors"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/group"
	"rosenblatt/stream/stops"
)

// Membership is a process's part in a group whose members share a task. The group only says who should have the task;
// the fence, not the group, guarantees one writer.
type Membership interface {
	// Assigned returns when the group gives this member the task, with the number of that assignment and a context that
	// ends when the group gives it to another one, or ctx ends. A positive argument is the number under which it had
	// the task until it was fenced: that is told to the group, and a later one awaited. Errors: the context's, or one
	// that ends the task.
	Assigned(ctx context.Context, fenced int32) (group.Given, error)
	// Suspect tells that work has waited for so long while nobody predicted, and returns whether the group is asked
	// because of this who is alive.
	Suspect(waited time.Duration) group.Doubt
	// Awaits says why nobody asks for the member that has the task where nobody predicts; empty: somebody would.
	Awaits() string
	// Left reports whether this member has left the group to others: it does not take over any more.
	Left() bool
}

// assignment waits for the task.
type assignment struct {
	end   context.CancelFunc
	given chan given
}

// given is what the group says of the task.
type given struct {
	group.Given
	err error
}

// awaitAssignment waits for assignments until ctx ends. Nobody receives one that is over: it is awaited anew.
func (t *Task) awaitAssignment(ctx context.Context) *assignment {
	ctx, end := context.WithCancel(ctx)
	a := &assignment{end: end, given: make(chan given)}
	fenced := t.remembered.assignedAs
	go func() {
		for ctx.Err() == nil {
			var g given
			//mutation:assignment-over
			if g.Given, g.err = t.Standby.Assigned(ctx, fenced); g.err != nil {
				g.Assigned = ctx
			}
			for g.Assigned.Err() == nil {
				select {
				case a.given <- g:
				case <-g.Assigned.Done():
				}
			}
		}
	}()
	return a
}

// isGiven reports whether the task is assigned to this member.
func (a *assignment) isGiven() bool {
	select {
	case <-a.given:
		return true
	default:
		return false
	}
}

// cause says why a member has the task now. silent is for how long it has seen nobody predict while a record waited.
func (g *given) cause(silent time.Duration) board.Cause {
	switch {
	case g.Suspected:
		return board.Suspected
	case g.Again:
		return board.Fenced
	case g.First:
		return board.Begun
	//mutation:silence-as-cause
	case silent >= board.SilentAfter:
		return board.Silent
	}
	return board.Assigned
}

// errRevoked ends a takeover without a fence: the group has given the task to another member, which may be live.
var errRevoked = errors.New("the task is assigned to another member")

// errNewWriter ends following because the journal goes on under another epoch. Its takeover may have accepted a stop:
// then it wrote a checkpoint before its first entry, which says what the model is from there on.
var errNewWriter = errors.New("another process has taken over")

// replaced reports whether a member is no longer the writer, or could not become it, and follows again: the group may
// have assigned the task to another one.
func (t *Task) replaced(err error) bool {
	return t.Standby != nil && (stops.Is(err, stops.Fenced) ||
		t.remembered.followed && (stops.Is(err, stops.FenceFailed) || stops.Is(err, stops.Unreachable)))
}

// stopOf says why a member was replaced. What to do about it is for a process without --standby.
func stopOf(err error) string {
	stop, _ := errors.AsType[*stops.Error](err)
	return stop.Name + ": " + stop.What
}
