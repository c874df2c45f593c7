package stream

import (
	"slices"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/late"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// state is all that a checkpoint holds, in use. It belongs first to recovery, then to the learner.
type state struct {
	proc      *model.Processor
	fixed     model.Config
	tasks     int     // when the model was begun (model.Header)
	seq       int64   // of the last entry of the journal
	epoch     int64   // takeovers so far
	positions []int64 // of each input partition
	started   []int64 // where the model's history begins
	counts    model.Counts
	accepted  []model.Acceptance
	skipped   []topics.SkipRange
	dead      deadLetters      // found at the takeover
	topology  *topics.Topology // as read before the takeover
	fence     *topics.Fence    // while following: of NoProducer, and the ends of the last look are its markers
	base      topics.Ends      // of the checkpoint; after recovery, after the markers
	pending   late.Pending     // nil without later labels
	predicted late.Predicted   // pending was told of it last
	forTopic  bool             // as in model.Header

	// Of the labels topic, as positions and started.
	labelPositions, labelStarted []int64

	// reached is up to where input and labels were read, by partition. It may be below a position.
	reached [2][]topics.Reached
}

// reachedOf returns what of a topic that the task reads was read.
func (s *state) reachedOf(t topics.Topic) *[]topics.Reached {
	if t == topics.Labels {
		return &s.reached[1]
	}
	return &s.reached[0]
}

// moved notes the leader epoch of the batch before a position that was reached.
func (s *state) moved(t topics.Topic, partition int32, position int64, leader int32) {
	if leader < 0 {
		return
	}
	all := s.reachedOf(t)
	for int(partition) >= len(*all) {
		*all = append(*all, topics.Reached{})
	}
	(*all)[partition] = topics.Reached{Offset: position, Leader: leader}
}

// forget forgets what was read where a topic is read on from another place, because a stop was accepted.
func (s *state) forget(t topics.Topic, p readPlan) {
	for i, at := range *s.reachedOf(t) {
		if p.Replaced || i >= len(p.Positions) || p.Positions[i] != at.Offset {
			(*s.reachedOf(t))[i] = topics.Reached{}
		}
	}
}

// open opens a partition of a topic that the task reads at its position.
func (s *state) open(log topics.Opener, t topics.Topic, partition int32) topics.Reader {
	reader := log.Open(t, partition, s.positionsOf(t)[partition])
	all := *s.reachedOf(t)
	//mutation:read-before
	if r, ok := reader.(topics.EpochReader); ok && int(partition) < len(all) {
		r.After(all[partition])
	}
	return reader
}

// positionsOf returns the positions in a topic that the task reads.
func (s *state) positionsOf(t topics.Topic) []int64 {
	if t == topics.Labels {
		return s.labelPositions
	}
	return s.positions
}

// partitions are those that the task has of a topic that it reads.
func (s *state) partitions(t topics.Topic) (own []int32) {
	bounds := s.topology.Of(t).Partitions
	for p := range s.positionsOf(t) {
		if p >= len(bounds) || !bounds[p].Away {
			own = append(own, int32(p))
		}
	}
	return own
}

func stateOf(h *model.Header, proc *model.Processor) *state {
	counts := h.Counts
	if counts.Rejected == nil {
		counts.Rejected = map[string]int64{}
	}
	return &state{
		proc: proc, fixed: h.Config, tasks: h.Tasks, seq: h.Seq, epoch: h.Epoch,
		positions: slices.Clone(h.Positions), started: slices.Clone(h.Started),
		labelPositions: slices.Clone(h.LabelPositions), labelStarted: slices.Clone(h.LabelStarted),
		counts: counts, accepted: h.Accepted, skipped: h.Skipped,
		dead: deadLetters{}, base: h.Ends.Clone(),
		reached: [2][]topics.Reached{h.Reached(topics.Input), h.Reached(topics.Labels)},
	}
}

// labels is pending as the labels topic ends its waiting; nil without later labels.
func (st *state) labels() *late.Labels {
	l, _ := st.pending.(*late.Labels)
	return l
}

// waiting returns what makes the sections of what waits.
func (st *state) waiting() func() []checkpoint.Section {
	if st.pending == nil {
		return func() []checkpoint.Section { return nil }
	}
	return st.pending.Snapshot()
}

// learn scores and learns the last prediction, unless it waits for its outcome.
func (st *state) learn(p *late.Predicted) {
	if st.pending != nil {
		st.predicted = *p // it is no garbage
		if st.pending.Predicted(&st.predicted) {
			return
		}
	}
	st.proc.Learn(p.Record, p.Outcome)
}
