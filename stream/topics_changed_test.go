package stream_test

import (
	"testing"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// ownTopics are the names of a setup's topics.
func ownTopics(s *streamtest.Setup) []string { return []string{s.Name, s.Output(), s.DeadLetters()} }

// running starts a task that looks at its topics often, or never, and lets it work a little.
func running(t *testing.T, s *streamtest.Setup, watchEvery time.Duration) (done <-chan error) {
	t.Helper()
	s.Config.WatchEvery, s.Config.Grace = watchEvery, time.Second
	task, _, done := live(t, s)
	s.Cluster.Produce(t, s.Name, 0, events(1, 100)...)
	streamtest.Await(t, "a hundred records", func() bool { return task.Status().Acknowledged == 98 })
	return done
}

// ended waits for a task's end for at most a minute.
func ended(t *testing.T, done <-chan error) error {
	t.Helper()
	select {
	case err := <-done:
		return err
	case <-streamtest.Timeout(t, time.Minute).Done():
		t.Fatal("a minute later the task runs on")
		return nil
	}
}

// TestTopicDeletedWhileRunning: an idle task whose topic is gone stops, and says so.
func TestTopicDeletedWhileRunning(t *testing.T) {
	t.Parallel()
	c := streamtest.Start(t)
	for i := range 3 {
		s := streamtest.New(t, c, 1)
		done := running(t, s, 10*time.Millisecond)
		topic := ownTopics(s)[i]
		s.Cluster.Delete(t, topic)
		if err := ended(t, done); !stops.Is(err, stops.TopicMissing) {
			t.Errorf("%s was deleted: %v", topic, err)
		}
	}
}

// TestTopicRecreatedWhileRunning: the same for a topic that is there again.
func TestTopicRecreatedWhileRunning(t *testing.T) {
	t.Parallel()
	c := streamtest.Start(t)
	for i := range 3 {
		s := streamtest.New(t, c, 1)
		done := running(t, s, 300*time.Millisecond)
		topic := ownTopics(s)[i]
		s.Cluster.Recreate(t, topic, 1)
		if err := ended(t, done); !stops.Is(err, stops.TopicChanged) {
			t.Errorf("%s was created again: %v", topic, err)
		}
	}
}

// TestOutputRecreatedWhileWriting: the writer meets the new topic before the task looks at its topics. It is not taken
// for another writer's: neither where the broker knows the producer and its sequence, nor where its first batch is
// acknowledged at an offset that is not the expected one.
func TestOutputRecreatedWhileWriting(t *testing.T) {
	t.Parallel()
	c := streamtest.Start(t)
	for _, idle := range []bool{false, true} {
		s := streamtest.New(t, c, 1)
		s.Config.WatchEvery, s.Config.Grace = time.Hour, time.Second
		task, _, done := live(t, s)
		streamtest.Await(t, "live", func() bool { return task.Status().State == board.Live })
		if !idle {
			s.Cluster.Produce(t, s.Name, 0, good(10)...)
			streamtest.Await(t, "ten records", func() bool { return task.Status().Acknowledged == 10 })
		}
		s.Cluster.Recreate(t, s.Output(), 1)
		s.Cluster.Produce(t, s.Name, 0, good(10)...)
		if err := ended(t, done); !stops.Is(err, stops.TopicChanged) {
			t.Errorf("idle %t: %v", idle, err)
		}
	}
}
