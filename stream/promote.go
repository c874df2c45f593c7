package stream

import (
	"context"
	"errors"

	"rosenblatt/stream/board"
)

// promotion is a request to make another learner the champion (PROTOCOL.md, "Promotion").
type promotion struct {
	name string
	done chan promoted // holds one
}

// promoted is what became of a promotion.
type promoted struct {
	seq int64 // of the first entry of the learner, which is acknowledged
	err error
}

// Errors of Promote.
var (
	// ErrPending says that a promotion waits for the next entry, or for its acknowledgement. A restart forgets one that
	// waits for an entry.
	ErrPending = errors.New("the promotion waits for the next entry of the journal")
	// ErrPromoting says that another promotion waits.
	ErrPromoting = errors.New("another promotion waits for the next entry of the journal")
	// ErrWithdrawn says that the champion was promoted while a promotion of another learner waited.
	ErrWithdrawn = errors.New("the promotion was withdrawn: the champion was asked for while it waited")
)

// Promote makes a learner the champion from the next flight with an entry on, and returns the seq of its first entry
// when that is acknowledged. That of the champion withdraws one that waits, and returns when it began, 0 if it always
// was the champion. Errors: ErrNotLive, ErrPromoting, ErrWithdrawn, *model.UnknownLearner, *model.SuspendedLearner, and
// ErrPending when ctx ends before, or where the same promotion is under way. Any goroutine may call it, after Open.
func (t *Task) Promote(ctx context.Context, name string) (seq int64, err error) {
	if t.Status().State != board.Live {
		return 0, ErrNotLive
	}
	p := &promotion{name: name, done: make(chan promoted, 1)}
	select {
	case t.promotions <- p:
	case <-ctx.Done():
		return 0, ErrNotLive
	}
	select {
	case r := <-p.done:
		return r.seq, r.err
	case <-ctx.Done():
		return 0, ErrPending
	}
}
