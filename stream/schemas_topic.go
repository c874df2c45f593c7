package stream

import (
	"context"
	"sync"
	"time"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/statetopic"
)

// sharedLog is a checkpoint topic into which the saver writes checkpoints and the writer of the journal schemas.
type sharedLog struct {
	statetopic.Log
	turn chan struct{} // holds one
}

// Append implements statetopic.Log.
func (l *sharedLog) Append(ctx context.Context, records *recordbatch.Builder) error {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return l.Log.Append(ctx, records)
}

// shareCheckpoints lets two goroutines write to the checkpoint topic.
func (t *Task) shareCheckpoints() {
	if _, done := t.Checkpoints.(*sharedLog); !done && t.Checkpoints != nil && t.schemas != nil {
		t.Checkpoints = &sharedLog{Log: t.Checkpoints, turn: make(chan struct{}, 1)}
	}
}

// saveSchemas writes what the checkpoint topic lacks of schemas, before an entry or a dead letter that may depend on
// it.
// The fence is renewed meanwhile, as it is beside a save.
func (t *Task) saveSchemas(ctx context.Context, renew func(context.Context) error) error {
	all, generation := t.schemas.unsaved()
	if len(all) == 0 || t.Checkpoints == nil {
		return nil
	}
	top := t.board.Listed()
	maxBytes := t.schemas.topicBytes
	if top != nil && top.Checkpoints.MaxMessageBytes > 0 {
		maxBytes = top.Checkpoints.MaxMessageBytes
	}
	saving, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	done := make(chan error, 1)
	running.Go(func() { done <- statetopic.SaveSchemas(saving, t.Checkpoints, t.schemas.output, maxBytes, all) })
	check := time.NewTicker(checkFence)
	defer check.Stop()
	for {
		select {
		case err := <-done:
			if err == nil {
				t.schemas.noteSaved(all, generation)
			}
			return err
		case <-check.C:
			if err := renew(ctx); err != nil {
				return err
			}
		}
	}
}
