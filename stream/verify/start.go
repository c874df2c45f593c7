package verify

import (
	"fmt"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// Start is where an audit begins.
type Start struct {
	Processor *model.Processor // the audit learns with it
	Config    model.Config     // what Processor was made of
	Output    string           // the topic of the model's predictions, which its dead letters name; "": the audited one
	Seq       int64            // of the last prediction before
	Epoch     int64            // of the checkpoint; 0 without one
	Positions []int64          // of each input partition: the next offset, or Unknown; of further ones, the log's start
	Ends      topics.Ends      // offsets from which they are read; of further partitions: the log's start

	// With later labels: positions of each label partition, what waits, the prediction whose duplicate is next, and
	// label time. Of nothing, nil.
	LabelPositions []int64
	Waiting        *labels.Waiting
	Duplicate      *labels.Example
	LabelTime      *labels.Clock
	Replaced       int64 // events up to this seq are in an earlier topic

	Skipped []topics.SkipRange

	// Configured is the epoch from which on Config holds, where a change of it was accepted. Dead letters of earlier
	// epochs were decided under another one.
	Configured int64
}

func (s *Start) positions(t topics.Topic) []int64 {
	if t == topics.Labels {
		return s.LabelPositions
	}
	return s.Positions
}

// Unknown is the position of a model whose beginning is not known: the audit begins at the first prediction of the
// partition.
const Unknown = -1

// FromNothing is the start of a model's history, as its checkpoint says; p is the model that it began with. ok is false
// where an accepted stop gave a part of the history up: then only a later checkpoint is a start.
func FromNothing(h *model.Header, p *model.Processor) (s Start, ok bool) {
	s = Start{Processor: p, Config: h.Config, Output: h.Output.Name, Positions: h.Started,
		LabelPositions: h.LabelStarted, Skipped: h.Skipped, Configured: configured(h)}
	if all := model.GivenUp(h.Accepted); len(all) > 0 {
		last := all[len(all)-1]
		s.Positions = last.Positions
		if last.Ends != nil {
			s.Ends = *last.Ends
		}
		return s, last.Seq == 0
	}
	return s, true
}

// FromCheckpoint is a checkpoint as a start. In output and dead-letter topics other than the checkpoint's, its offsets
// mean nothing: they are read from their starts.
func FromCheckpoint(h *model.Header, p *model.Processor, top *topics.Topology) Start {
	s := Start{Processor: p, Config: h.Config, Output: h.Output.Name, Seq: h.Seq, Epoch: h.Epoch,
		Positions: h.Positions, LabelPositions: h.LabelPositions, Skipped: h.Skipped, Configured: configured(h)}
	if h.Output.ID == top.Output.ID {
		s.Ends.Output = h.Ends.Output
	}
	if h.Outcomes.ID == top.Outcomes.ID {
		s.Ends.Outcomes = h.Ends.Outcomes
	}
	if h.Dead.ID == top.DeadLetters.ID {
		s.Ends.DeadLetters = h.Ends.DeadLetters
	}
	return s
}

func configured(h *model.Header) (epoch int64) {
	for _, a := range h.Accepted {
		if a.Name == stops.ConfigDiffers {
			epoch = max(epoch, a.Epoch)
		}
	}
	return epoch
}

// Wait restores what waits for labels in the checkpoint that the audit begins with.
func (s *Start) Wait(f *checkpoint.File, h *model.Header, l labels.Limits) (err error) {
	if h.Late == nil {
		return nil
	}
	l.Settled = max(l.Settled, h.Late.SettledIDs)
	s.LabelTime, s.Duplicate, s.Replaced = &h.Late.Clock, h.Late.Duplicate, h.Late.Replaced
	s.Waiting, err = labels.Restore(l, len(h.Challengers), f.Section)
	return err
}

// SameInput returns the stop for an input that is not the checkpoint's.
func SameInput(h *model.Header, top *topics.Topology) error {
	var what string
	switch {
	case h.Cluster != top.Cluster:
		what = fmt.Sprintf("the cluster's id is %s, the checkpoint's is %s", top.Cluster, h.Cluster)
	case h.Input.Name != top.Input.Name:
		what = fmt.Sprintf("the checkpoint is of a model of topic %s, not of %s", h.Input.Name, top.Input.Name)
	case h.Labels.Name != "" && h.Labels.ID != top.Labels.ID:
		what = fmt.Sprintf("topic %s of labels has the id %s, the checkpoint's has %s", top.Labels.Name, top.Labels.ID,
			h.Labels.ID)
	case h.Input.ID != top.Input.ID:
		what = fmt.Sprintf("topic %s has the id %s, the checkpoint's has %s: it was deleted and created again",
			top.Input.Name, top.Input.ID, h.Input.ID)
	default:
		return nil
	}
	return stop(stops.TopicChanged, what,
		"name the cluster and the input that the model has learned from, or another checkpoint")
}

// Reaches reports whether the topics still hold all that an audit from this checkpoint may need.
func Reaches(h *model.Header, top *topics.Topology) bool {
	return top.Input.Holds(h.Positions) && top.Labels.Holds(h.LabelPositions) &&
		(h.Output.ID != top.Output.ID || top.Output.Holds(h.Ends.Output)) &&
		(h.Outcomes.ID != top.Outcomes.ID || top.Outcomes.Holds(h.Ends.Outcomes))
}

func at(list []int64, partition int, otherwise int64) int64 {
	if partition < len(list) {
		return list[partition]
	}
	return otherwise
}
