package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/board"
	"rosenblatt/stream/state"
)

// live runs a session until the context ends or the end is reached (nil), or an error. It goes on with the saver and
// the merger of a member that has followed, which may be nil.
func (t *Task) live(ctx context.Context, st *state.State, saver *saver, m *merger) error {
	s, err := t.newSession(st, saver)
	if err != nil {
		return err
	}
	intake, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s.stop = stop
	write, abort := context.WithCancelCause(context.WithoutCancel(ctx))
	defer abort(nil)

	readers, err := s.startReaders(intake)
	if err != nil {
		return err
	}
	learn := s.learn
	if st.Labels() != nil {
		labelled := s.withLabels(m)
		labelled.start(intake, readers)
		learn = labelled.learn
	}
	writers := s.startWriters(write, abort)
	limit := func() {
		timer := time.AfterFunc(t.Config.Grace, func() { abort(errGrace) })
		context.AfterFunc(write, func() { timer.Stop() })
	}
	defer context.AfterFunc(ctx, limit)()
	defer context.AfterFunc(intake, func() {
		if ctx.Err() == nil && !errors.Is(context.Cause(intake), errEnd) { // the end waits for all acknowledgements
			limit()
		}
	})()

	learned := learn(intake, write)
	stop(learned)
	close(s.flights.out)
	read := readers.Wait()
	written := awaitWriters(write, writers)
	t.board.Publish(st, board.Stopping)
	return firstCause(context.Cause(intake), written, learned, read)
}

// startWriters starts the goroutines that write and save. An error of the writer ends the session at once.
func (s *session) startWriters(write context.Context, abort context.CancelCauseFunc) *errgroup.Group {
	before, saving := s.t.remembered.saving, make(chan struct{})
	s.t.remembered.saving = saving
	w := &writer{journal: s.t.Journal, flights: s.flights, saver: s.saver, saved: saving, ends: s.st.Base.Clone(),
		board: s.t.board, saveSchemas: s.t.saveSchemas}
	all := new(errgroup.Group)
	all.Go(func() error {
		err := w.run(write)
		if err != nil {
			s.stop(err)
			abort(err)
		}
		return err
	})
	all.Go(func() error {
		defer close(saving)
		<-before // a save that was begun while the task followed
		err := s.saver.run(write)
		if endsSession(err) {
			s.stop(err)
			abort(err)
		}
		return err
	})
	return all
}

// awaitWriters waits for the writer and the saver, but not for a disk that hangs beyond the grace period: the end of
// the process ends that goroutine, or a recovery waits for it.
func awaitWriters(write context.Context, writers *errgroup.Group) error {
	done := make(chan error, 1)
	go func() { done <- writers.Wait() }()
	select {
	case err := <-done:
		return err
	case <-write.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(time.Second):
		return context.Cause(write)
	}
}

// firstCause returns why a session ended: first a failed write, last what ended the intake. A requested end is nil.
func firstCause(intake, written, learned, read error) error {
	if errors.Is(intake, context.DeadlineExceeded) {
		intake = nil // the caller's deadline is an end like another
	}
	var late error
	for _, err := range []error{written, learned, read, intake} {
		switch {
		case err == nil, errors.Is(err, errEnd), errors.Is(err, context.Canceled):
		case errors.Is(err, errGrace):
			late = fmt.Errorf("%w: %w", ErrUnfinished, err)
		default:
			return err
		}
	}
	return late
}

// errGrace is the cause when acknowledgements did not come in time after a stop.
var errGrace = errors.New("no acknowledgement in time")
