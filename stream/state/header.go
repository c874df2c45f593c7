package state

import (
	"math"
	"slices"

	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// Header is what a checkpoint says of the state, but for ends of the journal.
func (s *State) Header(c *Config) model.Header {
	top := s.Topology
	h := model.Header{
		Model: c.Model, Partition: c.Partition, Tasks: s.Tasks, Build: c.Build, Config: s.Fixed,
		Cluster: top.Cluster, Input: model.RefOf(top.Input), Output: model.RefOf(top.Output),
		Dead: model.RefOf(top.DeadLetters),
		Seq:  s.Seq, Epoch: s.Epoch, Producer: s.Fence.Producer,
		Positions: slices.Clone(s.Positions), Started: slices.Clone(s.Started),
		Family: s.Proc.Family, Counts: s.Counts.Clone(),
		Accepted: slices.Clone(s.Accepted), Skipped: slices.Clone(s.Skipped), ForTopic: s.ForTopic,
		FieldReference: s.Reference,
	}
	h.PositionEpochs = topics.Leaders(s.Positions, s.reached[0])
	h.Late = s.Labels().State()
	h.SetModelState(s.Proc)
	h.Output.Partitions, h.Dead.Partitions = len(s.Fence.Output), len(s.Fence.DeadLetters)
	if top.Outcomes.Name != "" {
		h.Outcomes = model.RefOf(top.Outcomes)
		h.Outcomes.Partitions = len(s.Fence.Outcomes)
	}
	if top.Labels.Name != "" {
		h.Labels = model.RefOf(top.Labels)
		h.LabelPositions, h.LabelStarted = slices.Clone(s.LabelPositions), slices.Clone(s.LabelStarted)
		h.LabelEpochs = topics.Leaders(s.LabelPositions, s.reached[1])
	}
	return h
}

// Floor is, for each dead-letter partition, what no end of a checkpoint may be above.
func (s *State) Floor() []int64 {
	ends := make([]int64, len(s.Fence.DeadLetters))
	for i := range ends {
		ends[i] = math.MaxInt64
	}
	return s.DeadLetterFloor(ends)
}

// EndsBelow returns ends with those of dead letters at the floor at most.
func EndsBelow(e topics.Ends, floor []int64) topics.Ends {
	e = e.Clone()
	//mutation:dead-letter-floor
	for i := range e.DeadLetters {
		e.DeadLetters[i] = min(e.DeadLetters[i], floor[i])
	}
	return e
}
