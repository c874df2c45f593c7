package daemon

import (
	"context"
	"errors"
	"slices"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/group"
)

// run runs the task. One that is shared with other members runs while this one has or follows it.
func (t *task) run(ctx context.Context) error {
	m := t.daemon.member
	if m == nil {
		return t.Run(ctx)
	}
	for last := int32(0); ; {
		a, err := m.Next(ctx, last)
		if err != nil {
			return nil // it has left: share says why
		}
		last = a.Number
		if !t.isPartOf(&a) {
			t.Idle(a.Refused)
			continue
		}
		if err := t.attend(ctx); err != nil {
			return err
		}
	}
}

// isPartOf reports whether an assignment gives this member a part in the task.
func (t *task) isPartOf(a *group.Assignment) bool {
	n := max(0, t.partition)
	return slices.Contains(a.Active, n) || slices.Contains(a.Follow, n)
}

// attend runs the task until it ends by itself, or has become one that this member follows without being assigned to.
func (t *task) attend(ctx context.Context) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	done := make(chan error, 1)
	go func() { done <- t.Run(ctx) }()
	tick := time.NewTicker(partEvery)
	defer tick.Stop()
	for ended := false; ; {
		select {
		case err := <-done:
			if errors.Is(err, group.ErrLeft) || ended && errors.Is(err, stream.ErrUnfinished) {
				return nil
			}
			return err
		case <-tick.C:
		}
		a, err := t.daemon.member.Next(ctx, 0)
		if err == nil && !t.isPartOf(&a) && t.Status().State == board.Following {
			ended = true
			end()
		}
	}
}

// partEvery is how often a member that follows asks whether it has to.
const partEvery = 100 * time.Millisecond
