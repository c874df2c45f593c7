package board

import (
	"slices"
	"time"

	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
)

// LabelStatus is what a task reports of labels that come later.
type LabelStatus struct {
	Partitions []PartitionStatus // of the labels topic
	Counts     model.LabelCounts
	Waiting    int           // examples
	Settled    int           // ids remembered
	Oldest     int64         // since when the longest waits, ms since 1970; 0: none waits
	Time       int64         // label time, ms since 1970; 0: there is none yet
	Wait       time.Duration // how long examples wait, by label time
	Stalled    bool          // the longest waiting is due by the wall clock and not by label time
	Held       int           // partitions held by a label of an unknown event
	Memory     int64         // bytes of kept features
	ReadBack   int64         // examples read back from the input, in this process
	Holds      []LabelHold
	Unasked    []UnaskedPartition // of events and labels
	Future     int64              // the lowest timestamp too far ahead of the clock to count; 0: there is none
	Ahead      time.Duration      // how far ahead it may be
	Seconds    []topics.Topic     // whose timestamps seem to be in seconds
	Rejects    Rejecting          // label records
	TooLate    []labels.LateShare // labels of which many of the newest records came too late
	Examples   int                // that may wait
}

// LabelHold is a partition of the labels that waits for events of a partition of the input, although the slack is over.
type LabelHold struct {
	Partition int32
	Offset    int64 // of the label
	Input     int32 // the partition of the input
	Open      bool  // it has an open transaction
}

// UnaskedPartition is a partition whose leader could not be asked for its end for half of the slack.
type UnaskedPartition struct {
	Topic     topics.Topic
	Partition int32
	Err       string // of the last request; empty if that has no response yet
}

// Merging is what the merge of events and labels waits for. The learner notes it.
type Merging struct {
	Held    int // partitions of the labels that a label of an unknown event holds
	Holds   []LabelHold
	Unasked []UnaskedPartition
	Seconds []topics.Topic // whose timestamps seem to be in seconds
}

// status returns what is reported of labels that come later; nil without them.
func (m *Merging) status(st *state.State) *LabelStatus {
	l := st.Labels()
	if l == nil {
		return nil
	}
	s := &LabelStatus{Counts: *st.Counts.Labels.Clone(), Waiting: l.Waiting.Len(), Settled: l.Waiting.Settled(),
		Wait: time.Duration(l.Waiting.Limits.Wait) * time.Millisecond, Held: m.Held, Holds: m.Holds,
		Unasked: m.Unasked, Memory: l.MemoryInUse(), ReadBack: l.ReadBack}
	now, known := l.Clock.Time()
	if known {
		s.Time = now
	}
	s.Examples = l.Waiting.Limits.Examples
	s.Ahead, s.Seconds = time.Duration(l.Clock.Ahead)*time.Millisecond, m.Seconds
	if future, ok := l.Clock.Future(); ok {
		s.Future = future
	}
	if e := l.Waiting.First(); e != nil {
		due := e.Since + l.Waiting.Limits.Wait
		s.Oldest = e.Since
		//mutation:stalled-by-clock
		s.Stalled = due < time.Now().UnixMilli() && (!known || now <= due)
	}
	s.Partitions = partitionStatus(st, topics.Labels)
	return s
}

// withEnds returns a copy with the ends of now; nil of nil.
func (s *LabelStatus) withEnds(bounds []topics.Bounds) *LabelStatus {
	if s == nil {
		return nil
	}
	copied := *s
	copied.Partitions = slices.Clone(s.Partitions)
	for i := range copied.Partitions {
		copied.Partitions[i].setEnd(bounds)
	}
	return &copied
}
