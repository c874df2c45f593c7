package stream

import (
	"context"
	"errors"

	"rosenblatt/stream/board"
)

// promotion is a request to make another learner the champion (PROTOCOL.md, "Promotion").
type promotion struct {
	name string
	done chan response // holds one
}

// Promoted is what became of a promotion.
type Promoted struct {
	Seq       int64  // of the first entry of the learner, which is acknowledged; 0: it always was the champion
	Withdrawn string // the learner whose promotion had waited until this one was asked for; empty: none had
}

// response is to a promotion.
type response struct {
	Promoted

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

// Promote makes a learner the champion from the next flight with an entry on, and returns when its first entry is
// acknowledged. That of the champion withdraws one that waits, and says when it began. Errors: ErrNotLive,
// ErrPromoting, ErrWithdrawn, *model.UnknownLearner, *model.SuspendedLearner, and ErrPending when ctx ends before, or
// where the same promotion is under way. Any goroutine may call it, after Open.
func (t *Task) Promote(ctx context.Context, name string) (Promoted, error) {
	if t.Status().State != board.Live {
		return Promoted{}, ErrNotLive
	}
	p := &promotion{name: name, done: make(chan response, 1)}
	select {
	case t.promotions <- p:
	case <-ctx.Done():
		return Promoted{}, ErrNotLive
	}
	select {
	case r := <-p.done:
		return r.Promoted, r.err
	case <-ctx.Done():
		return Promoted{}, ErrPending
	}
}
