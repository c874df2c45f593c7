package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/state"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// Run recovers, and then predicts and learns until the context ends, the end is reached, or the invariant cannot be
// kept. It returns nil when everything learned is acknowledged and saved.
func (t *Task) Run(ctx context.Context) error {
	if err := t.init(); err != nil {
		return err
	}
	//mutation:folder-lock
	release, err := t.Store.Lock()
	if err != nil {
		return stateStop(t.Store.Dir, err)
	}
	defer func() { _ = release() }() // the end of the process unlocks it too
	if err := t.openSchemas(); err != nil {
		return err
	}
	t.shareCheckpoints()
	defer t.awaitSaverBriefly()
	held := topics.NoProducer
	var pause pacer
	for {
		err := t.serve(ctx, &held)
		//mutation:stop-unasked
		err = t.fencedInstead(ctx, held, err)
		switch {
		case t.retryInProcess(err):
			t.remembered.noteRefused(err)
			t.Logger.Warn().Err(err).Msg("recovering from the journal")
		case t.replaced(err) && t.Standby.Left():
			return nil
		case t.replaced(err):
			t.Logger.Warn().Str("error", stopOf(err)).Msg("following")
			held = topics.NoProducer
		case t.Standby != nil:
			return stops.OfMember(refusedStop(err))
		default:
			return refusedStop(err)
		}
		if !pause.wait(ctx) && held != topics.NoProducer {
			return t.unfinished("a write was indeterminate")
		}
	}
}

// unfinished is the error of a run that was stopped before a recovery in process was complete. It is nil where other
// members go on: they recover it.
func (t *Task) unfinished(when string) error {
	if t.Standby != nil && t.Standby.Left() {
		return nil
	}
	return fmt.Errorf("%w: stopped while %s", ErrUnfinished, when)
}

// serve recovers and is live. held becomes the producer of the fence.
func (t *Task) serve(ctx context.Context, held *topics.Producer) error {
	was := *held
	r, err := t.recover(ctx, held)
	if err != nil {
		return t.recoveryError(ctx, was, err)
	}
	if err := r.finish(ctx); err != nil {
		if t.Standby == nil {
			was = *held // what a flight lacks may be published in part
		}
		return t.recoveryError(ctx, was, err)
	}
	t.Config.Accept = nil // for this start only
	return t.live(ctx, r.st, r.saver, r.merger)
}

// awaitSaver waits for a save that was under way when the session, or following, ended: the store serves one goroutine
// at a time. A disk that hangs delays the recovery, which reads from it too, but not a stop.
func (t *Task) awaitSaver(ctx context.Context) {
	select {
	case <-t.remembered.saving:
		return
	default:
	}
	t.Logger.Warn().Msg("recovery waits until a checkpoint is written that was begun before it")
	t.board.Recovering(board.Recovery{})
	select {
	case <-t.remembered.saving:
	case <-ctx.Done():
	}
}

// awaitSaverBriefly waits at the end of a run for a save that was begun while it followed.
func (t *Task) awaitSaverBriefly() {
	select {
	case <-t.remembered.saving:
	case <-time.After(time.Second):
	}
}

func (t *Task) init() error {
	t.Config = t.Config.WithDefaults()
	if (t.Config.Labels == nil) != (t.Config.ModelConfig.Late == nil) {
		return errors.New("labels that come later: only half of their configuration is there")
	}
	t.board.Begin(&t.Logger, t.Config.Partition != nil)
	t.remembered.begin()
	t.storage = &storage{config: &t.Config, store: t.Store, group: t.Group, log: t.Log, board: t.board,
		logger: &t.Logger}
	return t.Config.ModelConfig.Validate()
}

// recoveryError returns why a recovery ended without a live model. Where the context ended, a start has published
// nothing yet; before a recovery in process, predictions were published that no checkpoint holds.
func (t *Task) recoveryError(ctx context.Context, held topics.Producer, err error) error {
	var stop *stops.Error
	switch {
	case ctx.Err() == nil, errors.As(err, &stop):
		return err
	case t.Standby != nil && held == topics.NoProducer: // the others go on
		return nil
	case held != topics.NoProducer:
		return t.unfinished("recovering from the journal")
	}
	return fmt.Errorf("stopped before the model was live: %w", context.Cause(ctx))
}

// retryInProcess reports whether a recovery in process may get over an error.
func (t *Task) retryInProcess(err error) bool {
	if r, ok := errors.AsType[*refusedRecord](err); ok {
		return !t.remembered.headersOnly[r.at]
	}
	return errors.Is(err, topics.ErrIndeterminate) || errors.Is(err, state.ErrPartitions)
}
