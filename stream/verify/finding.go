package verify

import (
	"rosenblatt/stream/journal"
	"rosenblatt/stream/stops"
)

// Kind says what is wrong.
type Kind string

// The kinds of findings.
const (
	Differs      Kind = "differs"        // an entry is not what the model computes
	Duplicate    Kind = "duplicate"      // a record with a second prediction, a second dead letter, or one of each
	Hole         Kind = "hole"           // a seq that no entry of the journal has
	Order        Kind = "order"          // an entry after one of a higher seq, offset or epoch
	NoInput      Kind = "no-input"       // a prediction or a dead letter of a record that does not exist
	NoPrediction Kind = "no-prediction"  // a record that the model predicts, without a prediction
	NoDeadLetter Kind = "no-dead-letter" // a record or a label that the model rejects, without one
	Foreign      Kind = "foreign"        // a record in a topic of the journal that is no entry of this model

	SecondOutcome Kind = "second-outcome" // an outcome of a prediction that has one, or of an event with its own label
	NoOutcome     Kind = "no-outcome"     // a prediction whose outcome is due, without one
	NoLabel       Kind = "no-label"       // an outcome by a label record that does not exist, or is no label
	LabelPassed   Kind = "label-passed"   // a label of a waiting prediction that was read without an outcome
	TooEarly      Kind = "too-early"      // waiting that ended without a label before its time
	Unpredicted   Kind = "unpredicted"    // an outcome of no prediction that waits
)

// Kinds lists all kinds, in the order in which they are reported.
func Kinds() []Kind {
	all := []Kind{Differs, Duplicate, Hole, Order, NoInput, NoPrediction, NoDeadLetter, Foreign}
	return append(all, LabelKinds()...)
}

// LabelKinds lists those that only models with later labels have.
func LabelKinds() []Kind {
	return []Kind{SecondOutcome, NoOutcome, NoLabel, LabelPassed, TooEarly, Unpredicted}
}

// Place is where a record is.
type Place struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	Offset    int64  `json:"offset"`
}

// Field is a field in which a published prediction differs from the computed one.
type Field struct {
	Name      string `json:"name"`
	Published string `json:"published"` // "absent" where it is missing
	Computed  string `json:"computed"`
}

// Finding is one thing that is wrong.
type Finding struct {
	Kind       Kind    `json:"kind"`
	Seq        int64   `json:"seq,omitempty"`    // of the entry, or the first one that is missing
	Output     *Place  `json:"output,omitempty"` // of the entry
	Input      *Place  `json:"input,omitempty"`  // of its record, or of the one without a prediction
	Label      *Place  `json:"label,omitempty"`  // of the label record
	DeadLetter *Place  `json:"deadLetter,omitempty"`
	What       string  `json:"what"`
	Fields     []Field `json:"fields,omitempty"` // of Differs

	settled bool // what came later explains it
}

// Result is what an audit found. If nothing is wrong, Offsets is the sum of Predictions, DeadLetters, Unkept, Nulls,
// Skipped, Gaps and Pending.
type Result struct {
	Model       string         `json:"model"`
	After       int64          `json:"after"`       // where the audit begins
	NotAudited  []Range        `json:"notAudited"`  // predictions of the model that this audit says nothing about
	Seq         int64          `json:"seq"`         // of the last prediction audited
	Epochs      [2]int64       `json:"epochs"`      // of the first and the last prediction
	Predictions int64          `json:"predictions"` // recomputed and compared
	DeadLetters int64          `json:"deadLetters"` // records passed for them
	Nulls       int64          `json:"nulls"`       // null values passed, as --tombstones says
	Skipped     int64          `json:"skipped"`     // offsets that --skip passed
	Unkept      int64          `json:"unkept"`      // rejected records whose dead letters are no longer kept
	Gaps        int64          `json:"gaps"`        // input offsets without a record: see auditor.gap
	Pending     int64          `json:"pending"`     // input offsets that may still be predicted
	Offsets     int64          `json:"offsets"`     // input offsets audited
	Labels      *LabelResult   `json:"labels,omitempty"`
	Floor       *Floor         `json:"floor"`    // null: what is missing at the end is not known
	Counts      map[Kind]int64 `json:"counts"`   // of findings; of a hole, of the seqs in it
	Findings    []*Finding     `json:"findings"` // the first of each kind, as they were met
}

// Range are the entries From to To of a model's journal. To is 0 where that is not known.
type Range struct {
	From int64 `json:"from"`
	To   int64 `json:"to,omitempty"`
	// Earlier says that they are of an earlier life of the model, with a seq of its own: a start from nothing was
	// accepted since.
	Earlier bool `json:"earlier,omitempty"`
}

// LabelResult is what an audit found of labels that come later. If nothing is wrong, Offsets is the sum of Used,
// DeadLetters, Repeats, Nulls, Unkept, Gaps and Pending.
type LabelResult struct {
	Outcomes    map[string]int64 `json:"outcomes"`    // recomputed and compared, by kind
	Waiting     int64            `json:"waiting"`     // predictions without an outcome so far
	Used        int64            `json:"used"`        // label records with an outcome
	DeadLetters int64            `json:"deadLetters"` // label records passed for them
	Repeats     int64            `json:"repeats"`     // of labels that their events have
	Nulls       int64            `json:"nulls"`       // null values passed, as --tombstones says
	Unkept      int64            `json:"unkept"`      // label records whose dead letters are no longer kept
	Gaps        int64            `json:"gaps"`        // label offsets without a record
	Pending     int64            `json:"pending"`     // label offsets that may not be read yet
	Offsets     int64            `json:"offsets"`     // label offsets audited
}

// OK reports whether nothing is wrong.
func (r *Result) OK() bool {
	for _, n := range r.Counts {
		if n > 0 {
			return false
		}
	}
	return true
}

// perKind is how many findings of a kind are kept; the others are counted.
const perKind = 100

// found keeps a finding that counts n times, and returns it.
func (a *auditor) found(n int64, f Finding) *Finding {
	before := a.result.Counts[f.Kind]
	a.result.Counts[f.Kind] = before + n
	if a.kept[f.Kind]++; a.kept[f.Kind] <= perKind {
		a.result.Findings = append(a.result.Findings, &f)
	}
	return &f
}

// settle takes a finding back, or n counts of it.
func (a *auditor) settle(f *Finding, n int64, whole bool) {
	a.result.Counts[f.Kind] -= n
	f.settled = whole
}

func (a *auditor) outputPlace(e *journal.Entry) *Place {
	return &Place{a.top.Of(e.Topic).Name, e.Output, e.Record.Offset}
}

func (a *auditor) inputPlace(partition int32, offset int64) *Place {
	return &Place{a.top.Input.Name, partition, offset}
}

const readOnly = "verify only reads: nothing was changed"

func stop(name, what, do string) *stops.Error {
	return &stops.Error{Name: name, What: what, Safe: readOnly, Do: do}
}
