package stream_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// countedEnds counts how often ends are asked for.
type countedEnds struct {
	topics.Log
	n *atomic.Int64
}

func (l countedEnds) Ends(ctx context.Context, highs bool, found func([]topics.PartitionEnd)) {
	l.n.Add(1)
	l.Log.Ends(ctx, highs, found)
}

// TestLabelsStandStill: while a partition of labels stands still that held a record, nothing is assumed, and that is
// said. One that never held a record holds nothing up.
func TestLabelsStandStill(t *testing.T) {
	t.Parallel()
	s, begin := lateSetup(t, 1, 3, 1), time.Now().Add(-5*time.Hour)
	s.Config.ModelConfig.Late.Assume = "-1"
	label := func(p int, at5 time.Time, ids ...int) *board.Status {
		t.Helper()
		s.Cluster.ProduceRecords(t, s.Kafka.Labels, p, at(at5, labelsOf(ids...)...)...)
		return s.MustRun(t).Status()
	}
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 10)...)...)
	label(0, begin.Add(20*time.Second), 0)
	label(1, begin.Add(20*time.Second), 1)
	now := time.Now().Add(-20 * time.Second)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(now, unlabelled(10, 20)...)...)
	st := s.MustRun(t).Status()
	if c := st.Counts.Labels.Outcomes; c["assumed"] != 0 || c["labelled"] != 2 || !st.Late.Stalled ||
		st.Late.Oldest != begin.Add(2*time.Second).UnixMilli() {
		t.Errorf("none moves: %v, %+v", c, st.Late)
	}
	st = label(0, now.Add(10*time.Second), 10)
	if c := st.Counts.Labels.Outcomes; c["assumed"] != 0 || c["labelled"] != 3 || !st.Late.Stalled {
		t.Errorf("one moves: %v, %+v", c, st.Late)
	}
	st = label(1, now.Add(10*time.Second), 11)
	if c := st.Counts.Labels.Outcomes; c["assumed"] != 8 || c["labelled"] != 4 || st.Late.Stalled ||
		st.Late.Waiting != 8 {
		t.Errorf("both move: %v, %+v", c, st.Late)
	}
	auditLate(t, s)
}

// TestLabelsIdle: with --labels-idle, a partition that is read to its end and silent counts as read up to now, unless a
// label of it waits for its event. Now is no later than the events show, and what has passed since.
func TestLabelsIdle(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		newer, held bool
		wait        time.Duration
		expired     int64
	}{
		"events go on":           {newer: true, wait: 10 * time.Minute, expired: 8},
		"the clock is ahead":     {wait: 10 * time.Minute},
		"nothing comes any more": {wait: 9 * time.Second, expired: 3}, // it takes two seconds
		"a label is held":        {newer: true, held: true, wait: 10 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, begin := lateSetup(t, 1, 2, 1), time.Now().Add(-time.Hour)
			s.Config.Labels.Idle, s.Config.Labels.Wait = 20*time.Millisecond, x.wait.Milliseconds()
			s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 10)...)...)
			if x.newer {
				s.Cluster.ProduceRecords(t, s.Name, 0, at(time.Now(), unlabelled(10, 11)...)...)
			}
			s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(10*time.Second), labelsOf(0)...)...)
			if x.held {
				s.Cluster.ProduceRecords(t, s.Kafka.Labels, 1, at(time.Now().Add(time.Minute*30), labelsOf(99)...)...)
			} else {
				s.Cluster.ProduceRecords(t, s.Kafka.Labels, 1, at(begin.Add(10*time.Second), labelsOf(1)...)...)
			}
			var asked atomic.Int64
			s.Wrap = func(l topics.Log) topics.Log { return countedEnds{l, &asked} }
			task, stop, _ := live(t, s)
			late := func(what string, is func(*board.LabelStatus) bool) {
				t.Helper()
				streamtest.Await(t, what, func() bool {
					late := task.Status().Late
					return late != nil && is(late)
				})
			}
			switch {
			case x.held:
				late("a label is held", func(s *board.LabelStatus) bool { return s.Held == 1 })
			case x.expired > 0:
				late("the others are expired", func(s *board.LabelStatus) bool {
					return s.Counts.Outcomes["expired"] >= x.expired
				})
			default:
				late("time goes on", func(s *board.LabelStatus) bool {
					return s.Time > begin.Add(10*time.Second+x.wait/10).UnixMilli()
				})
			}
			before := asked.Load()
			streamtest.Await(t, "ends were found", func() bool { return asked.Load() > before+5 })
			if err := stop(); err != nil {
				t.Error(err)
			}
			if n := task.Status().Counts.Labels.Outcomes["expired"]; x.expired == 0 && n > 0 {
				t.Errorf("%d are expired", n)
			}
			auditLate(t, s)
		})
	}
}
