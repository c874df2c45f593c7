package stream

import (
	"slices"

	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// state is all that a checkpoint holds, alive. One goroutine owns it: the one that recovers, then the one that learns.
type state struct {
	proc      *model.Processor
	fixed     model.Config
	seq       int64   // of the last answer
	epoch     int64   // takeovers so far
	positions []int64 // of each input partition
	started   []int64 // where the model's history begins
	counts    model.Counts
	accepted  []model.Acceptance
	skipped   []topics.SkipRange
	dead      map[place]deadLetter // letters found at the takeover whose records lie ahead
	topology  *topics.Topology     // as read before the takeover
	fence     *topics.Fence
	base      topics.Ends // of the checkpoint; after recovery, behind the markers of the takeover
}

// deadLetter is a dead letter found at the takeover.
type deadLetter struct {
	reason    event.Reason
	partition int32 // of the dead-letter topic
	offset    int64
}

// deadLetterFloor is, for each dead-letter partition, the first letter whose record lies ahead; without one it is upper.
func (s *state) deadLetterFloor(upper []int64) []int64 {
	floor := slices.Clone(upper)
	for at, d := range s.dead {
		if at.offset >= s.positions[at.partition] {
			floor[d.partition] = min(floor[d.partition], d.offset)
		}
	}
	return floor
}

// passDead moves positions over the run of dead-lettered offsets that begins at each, and forgets letters behind them.
func (s *state) passDead() {
	for p := range s.positions {
		for {
			at := place{int32(p), s.positions[p]}
			d, ok := s.dead[at]
			if !ok {
				break
			}
			s.counts.Reject(d.reason)
			s.positions[p]++
		}
	}
	for at := range s.dead {
		if at.offset < s.positions[at.partition] {
			delete(s.dead, at)
		}
	}
}

// stateOf makes a state from a checkpoint's header.
func stateOf(h *model.Header, proc *model.Processor) *state {
	counts := h.Counts
	if counts.Rejected == nil {
		counts.Rejected = map[string]int64{}
	}
	return &state{
		proc: proc, fixed: h.Config, seq: h.Seq, epoch: h.Epoch,
		positions: slices.Clone(h.Positions), started: slices.Clone(h.Started),
		counts: counts, accepted: h.Accepted, skipped: h.Skipped,
		dead: map[place]deadLetter{}, base: h.Ends.Clone(),
	}
}
