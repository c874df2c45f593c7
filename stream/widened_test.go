package stream_test

import (
	"context"
	"os"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// TestInputWidenedDuringTakeover: between a start's comparison with the cluster and its fence a partition is added, and
// another process predicts and dead-letters its records. That is the journal, and no dead letter is written twice.
func TestInputWidenedDuringTakeover(t *testing.T) {
	t.Parallel()
	for name, values := range map[string][]string{"predictions": events(2, 100), "dead letters": {"{", "[", "}"}} {
		t.Run(name, func(t *testing.T) {
			s := streamtest.New(t, streamtest.Start(t), 1)
			s.Cluster.Produce(t, s.Name, 0, events(1, 100)...)
			s.MustRun(t)
			other := *s
			other.Dir = t.TempDir()
			if err := os.CopyFS(other.Dir, os.DirFS(s.Dir)); err != nil {
				t.Fatal(err)
			}
			s.Adjust = func(task *stream.Task) {
				task.Journal = &hookJournal{Journal: task.Journal, takeover: func(_ context.Context, call int) error {
					if call == 1 {
						s.Cluster.AddPartitions(t, s.Output(), 2)
						s.Cluster.AddPartitions(t, s.Name, 2)
						s.Cluster.Produce(t, s.Name, 1, values...)
						other.MustRun(t)
					}
					return nil
				}}
			}
			s.MustRun(t)
			s.Adjust = nil
			task := s.MustRun(t)
			o := s.Audit(t)
			if st := task.Status(); st.Seq != int64(len(o.Predictions)) || len(st.Partitions) != 2 {
				t.Errorf("seq %d of %d, partitions %+v", st.Seq, len(o.Predictions), st.Partitions)
			}
		})
	}
}

// TestPartitionsAddedDuringAStart: the input grows between the look that the topics are prepared after and the one that
// the start goes on with.
func TestPartitionsAddedDuringAStart(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, events(1, 100)...)
	prepared := 0
	s.Adjust = func(task *stream.Task) {
		c := s.Client(t)
		task.Prepare = func(ctx context.Context) error {
			_, err := c.Ensure(ctx, true)
			if prepared++; prepared < 3 {
				s.Cluster.AddPartitions(t, s.Name, 1+prepared)
				s.Cluster.Produce(t, s.Name, prepared, events(uint64(1+prepared), 100)...)
			}
			return err
		}
	}
	task := s.MustRun(t)
	if st := task.Status(); st.Counts.Read != 300 || len(st.Partitions) != 3 {
		t.Errorf("%d records of %d partitions", st.Counts.Read, len(st.Partitions))
	}
	s.Audit(t)
}

// TestStateMissingWithDeadLetters: the topics hold nothing but dead letters. To start from nothing would
// write them a second time.
func TestStateMissingWithDeadLetters(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, "{", "[")
	s.MustRun(t)
	s.Dir = t.TempDir()
	wantStop(t, s, stops.StateMissing, s.DeadLetters(), "offset 0")
	accepted(t, s, stops.StateMissing)
}

// TestRecentMistakesAfterRecovery: classes that only an indeterminate batch had brought are not known after the
// recovery, and the mistakes that named them are not shown.
func TestRecentMistakesAfterRecovery(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	multiclass(s, learner.OVA)
	s.Cluster.Produce(t, s.Name, 0, `{"label":"a","x":1}`, `{"label":"b","x":1}`, `{"label":"c","x":1}`)
	s.Adjust = func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal, append: func(_ context.Context, call int) error {
			if call == 1 {
				return topics.ErrIndeterminate
			}
			return nil
		}}
	}
	task := s.MustRun(t)
	s.Audit(t)
	if n := len(task.Status().Recent.Mistakes); n != 3 {
		t.Errorf("%d mistakes shown, want the three that were published", n)
	}
}
