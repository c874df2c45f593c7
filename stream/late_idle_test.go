package stream_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// countedEnds counts how often ends are asked for.
type countedEnds struct {
	stream.Log
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
	label := func(p int, at5 time.Time, ids ...int) *stream.Status {
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
// label of it waits for its event.
func TestLabelsIdle(t *testing.T) {
	t.Parallel()
	for name, held := range map[string]bool{"silent": false, "held": true} {
		t.Run(name, func(t *testing.T) {
			s, begin := lateSetup(t, 1, 2, 1), time.Now().Add(-time.Hour)
			s.Config.Labels.Idle = 20 * time.Millisecond
			s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 10)...)...)
			s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(20*time.Second), labelsOf(0)...)...)
			if held {
				s.Cluster.ProduceRecords(t, s.Kafka.Labels, 1, at(time.Now().Add(time.Minute*30), labelsOf(99)...)...)
			} else {
				s.Cluster.ProduceRecords(t, s.Kafka.Labels, 1, at(begin.Add(20*time.Second), labelsOf(1)...)...)
			}
			var asked atomic.Int64
			s.Wrap = func(l stream.Log) stream.Log { return countedEnds{l, &asked} }
			task, stop, _ := live(t, s)
			if !held {
				streamtest.Await(t, "the others are expired", func() bool {
					late := task.Status().Late
					return late != nil && late.Counts.Outcomes["expired"] == 8
				})
			} else {
				streamtest.Await(t, "a label is held", func() bool {
					late := task.Status().Late
					return late != nil && late.Held == 1
				})
				before := asked.Load()
				streamtest.Await(t, "ends were found", func() bool { return asked.Load() > before+5 })
			}
			if err := stop(); err != nil {
				t.Error(err)
			}
			if c := task.Status().Counts.Labels.Outcomes; held && c["expired"] != 0 || c["labelled"]+c["expired"] == 0 {
				t.Errorf("%v", c)
			}
			auditLate(t, s)
		})
	}
}
