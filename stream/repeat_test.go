package stream_test

import (
	"testing"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/journal"
)

// TestRepeatOfAForgottenID: the repeat of a label is in the journal nowhere. Its id is forgotten and used again before
// the next label of its partition has an outcome: recovery, and a follower, pass the repeat as the writer did, though
// an example with its id waits by then.
func TestRepeatOfAForgottenID(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 1, 2, 1)
	s.Config.Labels.Settled = 2
	begin := time.Now().Add(-time.Hour)
	second := func(n int) time.Time { return begin.Add(time.Duration(n) * time.Second) }
	run := func() { s.MustRun(t) }
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 5)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(second(10), labelsOf(0)...)...)
	run()
	before := copied(t, s.Dir)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(second(11), labelsOf(0)...)...) // the repeat
	run()
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 1, at(second(12), labelsOf(1, 2, 3)...)...) // e0 is forgotten
	run()
	s.Cluster.ProduceRecords(t, s.Name, 0, at(second(20), unlabelled(0, 1)...)...) // and used again
	run()
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(second(25), labelsOf(4)...)...) // the next outcome behind it
	run()
	if kinds := kindsOf(t, s); kinds[journal.Labelled] != 5 || kinds[journal.DuplicateID] != 0 {
		t.Fatalf("%v", kinds)
	}
	after, _ := headerOf(t, s)

	follower := member(t, s, copied(t, before))
	follower.await(t, board.Following, after.Seq)
	counts := follower.Status().Counts
	if counts.Labels.Read != 6 || counts.Labels.Repeats != 1 {
		t.Errorf("the follower counts %+v", counts.Labels)
	}
	follower.stop()
	<-follower.ended

	s.Dir = before
	if n := s.MustRun(t).Status().Recovered.Predictions; n != after.Seq-6 {
		t.Errorf("%d entries were followed", n)
	}
	h, _ := headerOf(t, s)
	if h.Counts.Labels.Read != 6 || h.Counts.Labels.Repeats != 1 || h.Seq != after.Seq {
		t.Errorf("seq %d, counts %+v", h.Seq, h.Counts.Labels)
	}
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(second(30), labelsOf(0)...)...) // that of e0, used again
	run()
	if kinds := kindsOf(t, s); kinds[journal.Labelled] != 6 {
		t.Fatalf("%v", kinds)
	}
	verifiedByEver(t, s)
}
