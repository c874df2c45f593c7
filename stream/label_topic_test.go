package stream_test

import (
	"os"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// liveWithLabels starts a task that has learned one label, and looks at its topics so often.
func liveWithLabels(t *testing.T, s *streamtest.Setup, every time.Duration) (*stream.Task, func() error, <-chan error) {
	t.Helper()
	s.Config.WatchEvery = every
	began := hourAgo()
	s.Cluster.ProduceAt(t, s.Name, 0, began, withoutLabels(20)...)
	s.Cluster.ProduceAt(t, s.Kafka.Labels, 0, began+30_000, labelFor(0, 1))
	task, stop, done := live(t, s)
	awaitLabelled(t, task, 1)
	return task, stop, done
}

// learned is how many labelled examples were learned, those in no figure too.
func learned(st *board.Status) int64 { return st.Score.Examples + st.Score.LeftOut }

func awaitLabelled(t *testing.T, task *stream.Task, n int64) {
	t.Helper()
	streamtest.Await(t, "labels are learned", func() bool { return learned(task.Status()) == n })
}

// TestLabelsTopicDeletedWhileRunning: a task whose topic of labels is deleted, or created again, stops and says so.
func TestLabelsTopicDeletedWhileRunning(t *testing.T) {
	t.Parallel()
	c := streamtest.Start(t)
	for want, every := range map[string]time.Duration{
		stops.TopicMissing: 10 * time.Millisecond, stops.TopicChanged: 300 * time.Millisecond,
	} {
		s := streamtest.NewLater(t, c, 1, 2)
		_, _, done := liveWithLabels(t, s, every)
		if want == stops.TopicMissing {
			s.Cluster.Delete(t, s.Kafka.Labels)
		} else {
			s.Cluster.Recreate(t, s.Kafka.Labels, 2)
		}
		if err := ended(t, done); !stops.Is(err, want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestLabelPartitionAddedWhileRunning: its label records are read without a restart, from its start.
func TestLabelPartitionAddedWhileRunning(t *testing.T) {
	t.Parallel()
	s := streamtest.NewLater(t, streamtest.Start(t), 2, 1)
	task, stop, _ := liveWithLabels(t, s, 20*time.Millisecond)
	s.Cluster.AddPartitions(t, s.Kafka.Labels, 3)
	s.Cluster.ProduceAt(t, s.Kafka.Labels, 2, hourAgo()+40_000, labelFor(1, 1), labelFor(2, -1))
	awaitLabelled(t, task, 3)
	if err := stop(); err != nil {
		t.Error(err)
	}
	s.Config.UntilEnd = true
	if st := s.MustRun(t).Status(); learned(st) != 3 || len(reasonsOf(t, s)) != 0 {
		t.Errorf("%+v, %v", st.Score, reasonsOf(t, s))
	}
}

// TestAbortedLabels: label records of an aborted transaction have no effect, those of one that is committed have theirs
// when it is.
func TestAbortedLabels(t *testing.T) {
	t.Parallel()
	s := streamtest.NewLater(t, streamtest.Start(t), 1, 2)
	s.Config.Labels.Wait = 24 * time.Hour.Milliseconds() // a transaction's records are of now
	s.Cluster.ProduceAt(t, s.Name, 0, hourAgo(), withoutLabels(5)...)
	s.Cluster.OpenTransaction(t, s.Kafka.Labels, 1, labelFor(0, 1), "{")(false)
	commit := s.Cluster.OpenTransaction(t, s.Kafka.Labels, 1, labelFor(1, 1), labelFor(0, -1))
	if st := s.MustRun(t).Status(); learned(st) != 0 || len(reasonsOf(t, s)) != 0 {
		t.Errorf("%+v", st.Score)
	}
	commit(true)
	st := s.MustRun(t).Status()
	if learned(st) != 2 || st.Counts.Labels.Read != 2 || len(reasonsOf(t, s)) != 0 {
		t.Errorf("%+v, %+v", st.Score, st.Counts.Labels)
	}
}

// TestLabelsGone: label records that were not read yet, or have to be read again, are gone: a stop that an operator can
// pass.
func TestLabelsGone(t *testing.T) {
	t.Parallel()
	c := streamtest.Start(t)
	for name, row := range map[string]struct {
		change func(t *testing.T, s *streamtest.Setup)
		words  []string
	}{
		stops.InputGone: {func(t *testing.T, s *streamtest.Setup) {
			s.Cluster.ProduceAt(t, s.Kafka.Labels, 0, hourAgo()+90_000, labelFor(4, 1))
			s.Cluster.DeleteRecords(t, s.Kafka.Labels, 0, 4)
		}, []string{"partition 0 begins at offset 4, the model's position is 3"}},
		stops.TopicChanged: {func(t *testing.T, s *streamtest.Setup) {
			s.Cluster.Recreate(t, s.Kafka.Labels, 2)
		}, []string{"it was deleted and created again"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := streamtest.NewLater(t, c, 1, 2)
			began := hourAgo()
			s.Cluster.ProduceAt(t, s.Name, 0, began, withoutLabels(10)...)
			s.Cluster.ProduceAt(t, s.Kafka.Labels, 0, began+30_000, labelFor(0, 1), labelFor(1, 1), "{")
			s.MustRun(t)
			row.change(t, s)
			wantStop(t, s, name, append(row.words, s.Kafka.Labels)...)
			accepted(t, s, name)
			s.Cluster.ProduceAt(t, s.Kafka.Labels, 1, began+120_000, labelFor(5, -1))
			if st := s.MustRun(t).Status(); learned(st) != 3 {
				t.Errorf("%+v, %+v", st.Score, st.Counts.Labels)
			}
		})
	}
}

// TestLabelDeadLettersWithoutAState: a folder that is lost while label records that would be read again have dead
// letters already is a stop.
func TestLabelDeadLettersWithoutAState(t *testing.T) {
	t.Parallel()
	s := streamtest.NewLater(t, streamtest.Start(t), 1, 1)
	s.Cluster.ProduceAt(t, s.Kafka.Labels, 0, hourAgo(), "{", "[")
	s.MustRun(t)
	if err := os.RemoveAll(s.Dir); err != nil {
		t.Fatal(err)
	}
	wantStop(t, s, stops.StateMissing, s.DeadLetters(), "for labels partition 0 offset 0")
	accepted(t, s, stops.StateMissing)
	if n := len(rawDeadLetters(t, s)); n != 4 {
		t.Errorf("%d dead letters", n)
	}
}
