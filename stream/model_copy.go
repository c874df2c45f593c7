package stream

import (
	"context"
	"errors"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
)

// ErrNotLive is returned by Copy during recovery and after the end.
var ErrNotLive = errors.New("the model is not live: recovering or stopping")

// ModelCopy is a copy of the model at one moment: of its champion, where it has challengers.
type ModelCopy struct {
	Proc   *model.Processor
	Config model.Config
	Seq    int64
	At     time.Time

	replica  *model.Replica // of the model in use when it was copied last
	champion string         // likewise
}

type copyRequest struct {
	into *ModelCopy
	done chan error
}

// Copy copies the model between two chunks, or of a standby member between two looks at the journal, into c. Any
// goroutine may call it, after Open.
func (t *Task) Copy(ctx context.Context, c *ModelCopy) error {
	r := &copyRequest{into: c, done: make(chan error, 1)}
	if s := t.Status().State; s != board.Live && s != board.Following {
		return ErrNotLive
	}
	select {
	case t.copies <- r:
		return <-r.done
	case <-ctx.Done():
		return ErrNotLive
	}
}

// beginCopy starts a copy of the model as it is now.
func beginCopy(s *state.State, c *ModelCopy) error {
	champion := s.Proc.Champion()
	fixed := s.Fixed.Of(champion)
	if c.Proc == nil || c.champion != champion || len(ignoreError(c.Config.Diff(fixed))) > 0 {
		proc, err := model.NewProcessor(fixed)
		if err != nil {
			return err
		}
		c.Proc, c.Config, c.champion, c.replica = proc, fixed, champion, nil
	}
	if c.replica == nil || c.replica.From != s.Proc {
		c.replica = s.Proc.NewReplica(c.Proc)
	}
	c.replica.Begin()
	c.Seq, c.At = s.Seq, time.Now()
	return nil
}

// ignoreError drops an impossible error: both configurations were encoded before.
func ignoreError[T any](v T, _ error) T { return v }
