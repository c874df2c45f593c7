package daemon

import (
	"errors"
	"fmt"

	"rosenblatt/stream/stops"
)

// ended notes how a task of several has ended, and returns what ends the others: an error that a restart may mend, and
// the first stop when all have stopped.
func (t *task) ended(err error) error {
	stop, ok := errors.AsType[*stops.Error](err)
	//mutation:stop-of-one-task
	if !ok || stop.IsRetriable() {
		return t.named(err)
	}
	d := t.daemon
	left, first := d.noteStop(t.named(err))
	t.Stopped(stop)
	if d.member != nil {
		d.member.Tell()
	}
	e := t.Logger.Error().Str("error", stop.Name).Str("what", stop.What).Str("safe", stop.Safe).Str("do", stop.Do)
	if left == 0 {
		e.Msg("this model has stopped, the last one")
		return first
	}
	e.Msg("this model has stopped, the others go on")
	return nil
}

// noteStop keeps the first stop, and returns it and how many tasks have not stopped.
func (d *Daemon) noteStop(stop error) (left int, first error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stop == nil {
		d.stop = stop
	}
	d.stopped++
	return len(d.running) - d.stopped, d.stop
}

// firstStop is the first stop of a task; nil if none has stopped.
func (d *Daemon) firstStop() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stop
}

// named says of which task an error is.
func (t *task) named(err error) error {
	model := t.daemon.with.Settings.TaskModel(t.partition)
	if stop, ok := errors.AsType[*stops.Error](err); ok {
		of := *stop
		of.What = "model " + model + ": " + of.What
		return &of
	}
	if err != nil {
		return fmt.Errorf("model %s: %w", model, err)
	}
	return nil
}
