package stream_test

import (
	"strings"
	"testing"
	"time"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// TestLabelAhead: one label 55 minutes ahead ends no waiting of half an hour, and is named. Labels behind it, and
// those that are ahead by a little, move label time.
func TestLabelAhead(t *testing.T) {
	t.Parallel()
	s, begin := lateSetup(t, 1, 1, 1), time.Now().Add(-time.Minute)
	s.Config.Labels.Wait = (30 * time.Minute).Milliseconds()
	s.Config.Labels.Slack = 0
	s.Config.ModelConfig.Late.Assume = "-1"
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 20)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(30*time.Second), labelsOf(0)...)...)
	ahead := time.Now().Add(55 * time.Minute)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(ahead, labelsOf(1)...)...)
	task, stop, _ := live(t, s)
	streamtest.Await(t, "the labels", func() bool { return outcomesNow(task, "labelled") == 2 })
	if future := task.Status().Late.Future; future != ahead.UnixMilli() {
		t.Errorf("%d is too far ahead of the clock, want %d", future, ahead.UnixMilli())
	}
	now := time.Now().Add(2 * time.Minute).UnixMilli()
	s.Cluster.ProduceAt(t, s.Kafka.Labels, 0, now, labelsOf(2)...)
	streamtest.Await(t, "another label", func() bool { return outcomesNow(task, "labelled") == 3 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	if l := task.Status().Late; l.Counts.Outcomes["assumed"] != 0 || l.Waiting != 17 || l.Time != now {
		t.Errorf("%+v, want label time %d", l, now)
	}
	auditLate(t, s)
}

// TestLabelsAheadMoveTime: where all labels are further ahead of the clock than they may be, label time moves when the
// clock has come near.
func TestLabelsAheadMoveTime(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 1, 1, 1)
	s.Config.Labels.Wait = (10 * time.Second).Milliseconds() // a second ahead
	s.Config.Labels.Slack = 0
	s.Cluster.ProduceRecords(t, s.Name, 0, at(time.Now().Add(-9*time.Second), unlabelled(0, 1)...)...)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(time.Now(), unlabelled(1, 2)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(time.Now().Add(3*time.Second), labelsOf(1)...)...)
	task, stop, _ := live(t, s)
	streamtest.Await(t, "an end of waiting", func() bool { return outcomesNow(task, "expired") == 1 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	auditLate(t, s)
}

// TestTimesInSeconds: timestamps of 1970 are named, and with the labels that they make dead letters.
func TestTimesInSeconds(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 1, 1, 1)
	s.Config.Labels.Slack = 100 * time.Millisecond
	seconds := time.Now().Unix() // taken for milliseconds
	s.Cluster.ProduceAt(t, s.Name, 0, time.Now().UnixMilli(), unlabelled(0, 3)...)
	s.MustRun(t) // the events are there before the labels, however slow the broker is
	s.Cluster.ProduceAt(t, s.Kafka.Labels, 0, seconds, labelsOf(7, 1)...)
	st := s.MustRun(t).Status()
	if c := st.Late.Counts; c.Rejected["no-example"] != 1 || c.Outcomes["labelled"] != 1 {
		t.Errorf("%+v", c)
	}
	if of := st.Late.Seconds; len(of) != 1 || of[0] != topics.Labels || !st.Late.Counts.ByLabel.IsZero() {
		t.Errorf("in seconds: %v, by label: %+v", of, st.Late.Counts.ByLabel)
	}
	dead := rejectedOf(t, s)
	if len(dead) != 1 || !strings.HasSuffix(dead[0], "; timestamps are in 1970: seconds in place of milliseconds?") {
		t.Errorf("%q", dead)
	}
}

// rejectedOf returns the errors in the dead letters of partition 0.
func rejectedOf(t *testing.T, s *streamtest.Setup) (errors []string) {
	t.Helper()
	c := s.Client(t)
	top, err := c.Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range streamtest.Read(t, c, topics.DeadLetters, 0, top.DeadLetters.Partitions[0]) {
		headers, err := recordbatch.ParseHeaders(r.Headers)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range headers {
			if h.Key == "rosenblatt.error" {
				errors = append(errors, string(h.Value))
			}
		}
	}
	return errors
}
