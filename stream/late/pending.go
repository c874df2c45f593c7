package late

import (
	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// Pending is the predictions that wait for an outcome (PROTOCOL.md, "Outcomes"). It is part of the state: the same
// calls in the same order make the same outcomes. The owner of the state calls it. Labels is the one of the program;
// tests have one that decides at random.
type Pending interface {
	// Predicted notes a prediction that is in the journal. One that waits is scored and learned with its outcome,
	// others by the caller now.
	Predicted(p *Predicted) (waits bool)
	// Make returns the next outcome of a kind, for a partition as in the run of a layout; nil if there is none. It
	// changes nothing. The outcome is valid until the next call.
	Make(kind journal.Kind, partition int32, p *model.Processor) *journal.Outcome
	// MakeDue is Make for the outcome that is due now, of whatever kind.
	MakeDue(p *model.Processor) *journal.Outcome
	// Learn learns the outcome that was made last: it is in the journal.
	Learn(o *journal.Outcome, p *model.Processor)
	// Snapshot returns what makes the sections of a checkpoint, of the state as it is now. Another goroutine makes and
	// encodes them, while the state changes.
	Snapshot() func() []checkpoint.Section
}

// Predicted is a prediction as Pending is told of it. It is valid during the call.
type Predicted struct {
	Seq       int64
	Partition int32 // of the input
	At        int64 // when it was predicted, ms
	Record    *topics.Record
	Example   *event.Example
	Features  []learner.Feature
	Outcome   *model.Outcome

	Identified bool // ID is known, as a decoder found it
	ID         labels.ID
}
