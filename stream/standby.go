package stream

import (
	"context"
	"errors"

	"rosenblatt/stream/stops"
)

// Membership is a process's part in a group whose members share a task. The group only says who should have the task:
// that no two do is the fence's affair.
type Membership interface {
	// Assigned returns when the group gives this member the task, with the generation of that. A positive argument is
	// a generation under which it had the task until it was fenced: that is told to the group, and a later one awaited.
	// Errors: the context's, or one that ends the task.
	Assigned(ctx context.Context, fenced int32) (generation int32, err error)
	// Left reports whether this member has left the group to others: it does not take over any more.
	Left() bool
}

// assignment is a wait for the task.
type assignment struct {
	end        context.CancelFunc
	done       chan struct{} // closed when it is over
	generation int32
	err        error
}

func (t *Task) awaitAssignment(ctx context.Context) *assignment {
	ctx, end := context.WithCancel(ctx)
	a := &assignment{end: end, done: make(chan struct{})}
	go func() {
		defer close(a.done)
		a.generation, a.err = t.Standby.Assigned(ctx, t.generation)
	}()
	return a
}

// errNewWriter ends following because the journal goes on under another epoch. Its takeover may have accepted a stop:
// then it wrote a checkpoint before its first entry, which says what the model is from there on.
var errNewWriter = errors.New("another process has taken over")

// replaced reports whether a member is no longer the writer, or could not become it, and follows again: the group may
// have assigned the task to another one.
func (t *Task) replaced(err error) bool {
	return t.Standby != nil && (stops.Is(err, stops.Fenced) ||
		t.followed && (stops.Is(err, stops.FenceFailed) || stops.Is(err, stops.Unreachable)))
}
