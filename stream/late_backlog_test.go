package stream_test

import (
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/streamtest"
)

// TestBacklogInOrder: events of many hours that are read at once wait no longer for their labels than when they came.
func TestBacklogInOrder(t *testing.T) {
	t.Parallel()
	s, begin := lateSetup(t, 2, 2, 1), time.Now().Add(-24*time.Hour)
	var events, labels [2][]kafka.Record
	for i := range 300 {
		came := begin.Add(time.Duration(i) * time.Minute)
		events[i%2] = append(events[i%2], at(came, unlabelled(i, i+1)...)...)
		labels[i/2%2] = append(labels[i/2%2], at(came.Add(5*time.Second), labelsOf(i)...)...)
	}
	for p := range 2 {
		s.Cluster.ProduceRecords(t, s.Name, p, events[p]...)
		s.Cluster.ProduceRecords(t, s.Kafka.Labels, p, labels[p]...)
	}
	s.MustRun(t)
	entries, _ := entriesOf(t, s)
	waiting := 0
	for _, e := range entries {
		if e.Kind == journal.Predicted {
			waiting++
		} else {
			waiting--
		}
		if waiting > 1 {
			t.Fatalf("seq %d: %d predictions wait", e.Seq, waiting)
		}
	}
	if len(entries) != 600 {
		t.Errorf("%d entries", len(entries))
	}
}

// TestHeldFromTheFuture: a label of no event with a timestamp hours ahead does not hold its partition for hours.
func TestHeldFromTheFuture(t *testing.T) {
	t.Parallel()
	if streamtest.Real() {
		t.Skip("a broker refuses such timestamps")
	}
	s := lateSetup(t, 1, 1, 1)
	s.Config.Labels.Slack = time.Millisecond
	s.Config.UntilEnd = false
	s.Cluster.ProduceRecords(t, s.Name, 0, at(time.Now(), unlabelled(1, 2)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(time.Now().Add(3*time.Hour), labelsOf(7, 1)...)...)
	task, stop, _ := live(t, s)
	awaitLabelled(t, task, 1) // the one behind it
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// TestBacklogOutOfOrder: an event that is behind events of later times is known when its label comes.
func TestBacklogOutOfOrder(t *testing.T) {
	t.Parallel()
	s, begin := lateSetup(t, 1, 1, 1), time.Now().Add(-24*time.Hour)
	for i, after := range []time.Duration{0, 2 * time.Hour, time.Hour, 3 * time.Hour} {
		came := begin.Add(after)
		s.Cluster.ProduceRecords(t, s.Name, 0, at(came, unlabelled(i, i+1)...)...)
	}
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(time.Hour+5*time.Second), labelsOf(2)...)...)
	if c := s.MustRun(t).Status().Counts.Labels; c.Outcomes["labelled"] != 1 || len(c.Rejected) != 0 {
		t.Errorf("%+v", c)
	}
}
