package event

import "rosenblatt/learner"

// Family is a way to spell the two labels.
type Family uint8

// The families of labels. One is the label 1 (or +1) before it is known whether its opposite is 0 or -1.
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
	// Rejected says why the record is rejected; nil if it is not. If its reason comes after BadLabel, the label is
	// valid, because it may still be rejected for a reason before.
	Rejected *Error

	Skip     bool   // a null value that is skipped (Options.Tombstones), or a row of column names
	Label    int8   // +1 or -1; 0 without a label
	Family   Family // how the label is spelled
	IDIsJSON bool   // ID is a JSON token; else it is text

	ID     []byte // nil if absent
	Class  []byte // the label in a Multiclass task, where Label is 0: see AppendClass; nil without a label
	Weight float64
	Start  int // the features are arena[Start:End]
	End    int

	// Names identifies the feature names: examples with the same number, other than 0, have the same names in the same
	// order. The numbers differ from process to process.
	Names uint64
}

// Features returns the example's features within the arena they were decoded into.
func (e *Example) Features(arena []learner.Feature) []learner.Feature { return arena[e.Start:e.End] }
