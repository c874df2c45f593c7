package state

import (
	"slices"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/late"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// State is all that a checkpoint holds, in use. It belongs first to recovery, then to the learner: one goroutine at a
// time.
type State struct {
	Proc      *model.Processor
	Fixed     model.Config
	Tasks     int     // when the model was begun (model.Header)
	Seq       int64   // of the last entry of the journal
	Epoch     int64   // takeovers so far
	Positions []int64 // of each input partition
	Started   []int64 // where the model's history begins
	Counts    model.Counts
	Accepted  []model.Acceptance
	Skipped   []topics.SkipRange
	Dead      DeadLetters      // found at the takeover
	Topology  *topics.Topology // as read before the takeover
	Fence     *topics.Fence    // while following: of NoProducer, and the ends of the last look are its markers
	Base      topics.Ends      // of the checkpoint; after recovery, after the markers
	Pending   late.Pending     // nil without later labels
	predicted late.Predicted   // Pending was told of it last
	ForTopic  bool             // as in model.Header
	Reference []byte           // of fields, as in model.Header

	// Of the labels topic, as Positions and Started.
	LabelPositions, LabelStarted []int64

	// reached is up to where input and labels were read, by partition. It may be below a position.
	reached [2][]topics.Reached
}

// ReachedOf returns what of a topic that the task reads was read.
func (s *State) ReachedOf(t topics.Topic) *[]topics.Reached {
	if t == topics.Labels {
		return &s.reached[1]
	}
	return &s.reached[0]
}

// Moved notes the leader epoch of the batch before a position that was reached.
func (s *State) Moved(t topics.Topic, partition int32, position int64, leader int32) {
	if leader < 0 {
		return
	}
	all := s.ReachedOf(t)
	for int(partition) >= len(*all) {
		*all = append(*all, topics.Reached{})
	}
	(*all)[partition] = topics.Reached{Offset: position, Leader: leader}
}

// Forget forgets what was read where a topic is read on from another place, because a stop was accepted.
func (s *State) Forget(t topics.Topic, replaced bool) {
	positions := s.PositionsOf(t)
	for i, at := range *s.ReachedOf(t) {
		if replaced || i >= len(positions) || positions[i] != at.Offset {
			(*s.ReachedOf(t))[i] = topics.Reached{}
		}
	}
}

// Open opens a partition of a topic that the task reads at its position.
func (s *State) Open(log topics.Opener, t topics.Topic, partition int32) topics.Reader {
	reader := log.Open(t, partition, s.PositionsOf(t)[partition])
	all := *s.ReachedOf(t)
	//mutation:read-before
	if r, ok := reader.(topics.EpochReader); ok && int(partition) < len(all) {
		r.After(all[partition])
	}
	return reader
}

// PositionsOf returns the positions in a topic that the task reads.
func (s *State) PositionsOf(t topics.Topic) []int64 {
	if t == topics.Labels {
		return s.LabelPositions
	}
	return s.Positions
}

// Partitions are those that the task has of a topic that it reads.
func (s *State) Partitions(t topics.Topic) (own []int32) {
	bounds := s.Topology.Of(t).Partitions
	for p := range s.PositionsOf(t) {
		if p >= len(bounds) || !bounds[p].OtherTask {
			own = append(own, int32(p))
		}
	}
	return own
}

// New is the state of a model without a checkpoint, without positions.
func New(c *Config, proc *model.Processor) *State {
	return &State{Proc: proc, Fixed: c.ModelConfig, Tasks: c.Tasks, Dead: DeadLetters{},
		Counts: model.Counts{Rejected: map[string]int64{}}}
}

// FromHeader is the state in a checkpoint.
func FromHeader(h *model.Header, proc *model.Processor) *State {
	counts := h.Counts
	if counts.Rejected == nil {
		counts.Rejected = map[string]int64{}
	}
	return &State{
		Proc: proc, Fixed: h.Config, Tasks: h.Tasks, Seq: h.Seq, Epoch: h.Epoch,
		Positions: slices.Clone(h.Positions), Started: slices.Clone(h.Started),
		LabelPositions: slices.Clone(h.LabelPositions), LabelStarted: slices.Clone(h.LabelStarted),
		Counts: counts, Accepted: h.Accepted, Skipped: h.Skipped, Reference: h.FieldReference,
		Dead: DeadLetters{}, Base: h.Ends.Clone(),
		reached: [2][]topics.Reached{h.Reached(topics.Input), h.Reached(topics.Labels)},
	}
}

// Labels is Pending as the labels topic ends its waiting; nil without later labels.
func (s *State) Labels() *late.Labels {
	l, _ := s.Pending.(*late.Labels)
	return l
}

// Waiting returns what makes the sections of what waits.
func (s *State) Waiting() func() []checkpoint.Section {
	if s.Pending == nil {
		return func() []checkpoint.Section { return nil }
	}
	return s.Pending.Snapshot()
}

// LabelCounts returns the counts of label records and outcomes.
func (s *State) LabelCounts() *model.LabelCounts {
	if s.Counts.Labels == nil {
		s.Counts.Labels = &model.LabelCounts{}
	}
	return s.Counts.Labels
}
