package stream_test

import (
	"context"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// slowJournal is a journal over a slow link.
type slowJournal struct{ topics.Journal }

func (j slowJournal) Append(ctx context.Context, batches []topics.Batch) error {
	select {
	case <-time.After(50 * time.Millisecond):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return j.Journal.Append(ctx, batches)
}

// TestEndWaitsForAcknowledgements: the grace period is for a stop that somebody requested. A run to the end takes as
// long as its last predictions need.
func TestEndWaitsForAcknowledgements(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, events(1, 60)...)
	s.Config.Grace = time.Millisecond
	s.Adjust = func(task *stream.Task) { task.Journal = slowJournal{task.Journal} }
	s.MustRun(t)
	s.Audit(t)
}
