package stream_test

import (
	"context"
	"testing"

	"rosenblatt/stream"
	"rosenblatt/stream/streamtest"
)

// TestCheckpointsAndHeldWriter: brokers take their time for a flight whose copy of the state is to be saved, and the
// next checkpoint is due all the while. The learner goes on: the flights behind grow as they do without checkpoints.
func TestCheckpointsAndHeldWriter(t *testing.T) {
	t.Parallel()
	const waves, events = 6, 10 // in each
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.CheckpointEvery = 1
	respond := make(chan struct{})
	s.Adjust = func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal, append: func(ctx context.Context, _ int) error {
			select {
			case <-respond:
			case <-ctx.Done():
			}
			return ctx.Err()
		}}
	}
	task, stop, _ := live(t, s)
	for seq := int64(events); seq <= waves*events; seq += events {
		s.Cluster.Produce(t, s.Name, 0, good(events)...)
		streamtest.Await(t, "the learner", func() bool { return task.Status().Seq == seq })
	}
	close(respond)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	s.Audit(t)
}
