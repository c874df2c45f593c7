package stream

import (
	"context"
	"testing"
	"time"

	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
)

// endsLog is a log that tells of its ends alone, and counts how often.
type endsLog struct {
	topics.Log
	asked chan bool // for high watermarks, too
	ends  []topics.PartitionEnd
}

func (l *endsLog) Ends(_ context.Context, highs bool, found func([]topics.PartitionEnd)) {
	l.asked <- highs
	found(l.ends)
}

// TestFollowerNotesEnds: a follower notes since when labels are readable. After its takeover a label that has been so
// for the slack holds up nothing for another slack.
func TestFollowerNotesEnds(t *testing.T) {
	t.Parallel()
	st := &state.State{Topology: &topics.Topology{Input: topics.TopicState{Partitions: make([]topics.Bounds, 1)},
		Labels: topics.TopicState{Partitions: make([]topics.Bounds, 1)}}, Positions: []int64{0},
		LabelPositions: []int64{0}}
	c := &state.LabelsConfig{Slack: time.Millisecond}
	log := &endsLog{asked: make(chan bool), ends: []topics.PartitionEnd{
		{Topic: topics.Input}, {Topic: topics.Labels, Stable: 5, High: -1}}}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	m := newMerger(st, c)
	go func() {
		defer close(ended)
		m.askEnds(ctx, log)
	}()
	m.note(st)
	if !<-log.asked {
		t.Error("what is stored was not asked for")
	}
	m.note(st) // while it is asking
	m.found(<-m.ends)
	m.note(st) // less than a second later
	select {
	case <-log.asked:
		t.Error("ends were asked for again at once")
	default:
	}
	stop()
	<-ended
	noted := time.Now().UnixMilli()
	s := beginMerger(m, st, c)
	labels := s.of(topics.Labels, 0)
	if since := s.merge.Since(labels, 4, noted+1000); since > noted {
		t.Errorf("a label that was noted is readable since %d ms after that", since-noted)
	}
	if since := s.merge.Since(labels, 5, noted+1000); since != noted+1000 {
		t.Errorf("a label behind the end that was noted is readable since %d ms after that", since-noted)
	}
	if s.request(); s.asking {
		t.Error("ends are asked for although nothing waits for them")
	}
	st.Topology.Labels.Partitions = make([]topics.Bounds, 2)
	st.LabelPositions = []int64{0, 0}
	if beginMerger(m, st, c) == m {
		t.Error("of a partition that was added nothing was noted")
	}
}
