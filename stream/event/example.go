package event

import "rosenblatt/learner"

// Reason says why a record is no example. The order is the order of the checks: of several reasons the first one wins.
type Reason uint8

// The reasons a record is rejected for, in the order in which they are checked. The last four are found while the record
// is scored, the others while it is decoded.
const (
	OK                 Reason = iota // an example
	Empty                            // null, or no bytes
	TooLarge                         // value or key over the limit
	Encoding                         // not UTF-8, or a lone surrogate
	TooDeep                          // nested deeper than the limit
	Syntax                           // not well formed
	DuplicateField                   // a top-level field stands there twice
	BadLabel                         // the label is none of the known ones
	BadWeight                        // the weight is no number from 0 up
	BadFeatures                      // the features are no object, or hold what cannot be a feature
	NotFinite                        // nan or inf
	OutOfRange                       // a value or weight over 1e30 in magnitude
	TooManyFeatures                  // more features than the limit
	NoFeatures                       // not a single feature
	TooManyClasses                   // one class more than the limit
	Overflow                         // the score or the step would not be finite
	PredictionTooLarge               // the prediction fits into no batch
	Internal                         // the decoder panicked
	reasons                          // how many there are
)

var reasonNames = [reasons]string{"", "empty", "too-large", "encoding", "too-deep", "syntax", "duplicate-field", "bad-label",
	"bad-weight", "bad-features", "not-finite", "out-of-range", "too-many-features", "no-features", "too-many-classes",
	"overflow", "prediction-too-large", "internal"}

// String gives the reason as it stands in headers, metrics and logs.
func (r Reason) String() string { return reasonNames[r] }

// Reasons lists every reason a record can be rejected for, in the order of the checks.
func Reasons() []Reason {
	all := make([]Reason, 0, reasons-1)
	for r := Empty; r < reasons; r++ {
		all = append(all, r)
	}
	return all
}

// oldPredictionTooLarge is the name of PredictionTooLarge in dead letters and checkpoints of earlier versions.
const oldPredictionTooLarge = "answer-too-large"

// ParseReason finds the reason with this name.
func ParseReason(name string) (Reason, bool) {
	if name == oldPredictionTooLarge {
		return PredictionTooLarge, true
	}
	for r := Empty; r < reasons; r++ {
		if reasonNames[r] == name {
			return r, true
		}
	}
	return OK, false
}

// Family is the spelling that a label was given in.
type Family uint8

// The families of labels. One is the label 1 (or +1) as long as nobody knows whether its opposite is 0 or -1.
const (
	Unlabelled Family = iota // no label
	One                      // 1
	PlusMinus                // -1
	ZeroOne                  // 0
	Boolean                  // true or false
	Named                    // by Options.Positive or Options.LabelNames
)

// Example is what a record says. Decode fills it; its slices alias the record and the arena given to Decode.
type Example struct {
	Reason   Reason // OK, or why the record is rejected
	Skip     bool   // a null value that is to be passed by (Options.Tombstones)
	Label    int8   // +1 or -1; 0 when there is none. Valid when Reason is OK or after BadLabel in the order
	Family   Family // how the label was spelled
	IDIsJSON bool   // ID is a JSON token that can be copied as it is; else it is text to be quoted

	Error  string // where and what, when rejected: "offset 17: a number is wanted"
	ID     []byte // nil when absent
	Class  []byte // the label of Options.Task Multiclass, which leaves Label 0: see AppendClass; nil when there is none
	Weight float64
	Start  int // the features are arena[Start:End]
	End    int

	// Names numbers the list of the features' names: examples with the same number, other than 0, have the same names in the same
	// order. Which number that is differs from process to process.
	Names uint64
}

// Features returns the example's features within the arena they were decoded into.
func (e *Example) Features(arena []learner.Feature) []learner.Feature { return arena[e.Start:e.End] }
