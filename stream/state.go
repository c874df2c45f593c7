package stream

import (
	"slices"

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
	settler   Settler          // nil without later labels
	predicted Predicted        // the settler was told of it last
	late      *lateLabels      // the settler of a task with later labels; nil without

	// Of the labels topic, as positions and started.
	labelPositions, labelStarted []int64
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
	}
}
