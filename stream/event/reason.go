package event

import "slices"

// Reason says why a record is rejected. If several reasons apply, the first in the order of the constants counts.
type Reason uint8

// The reasons, in the order of the checks. Those from NoExample on arise while the record is handled, the others while
// it is decoded. NoID to LateLabel are of label records only.
const (
	OK                 Reason = iota // not rejected
	Empty                            // null, or no bytes
	TooLarge                         // value or key over the limit
	Frame                            // without a frame, or with one that is none
	UnknownSchema                    // the registry does not know the schema
	BadSchema                        // the schema cannot be used
	Encoding                         // not UTF-8, or a lone surrogate
	TooDeep                          // nested deeper than the limit
	Syntax                           // not well formed
	Envelope                         // no envelope, or none that can be read
	DuplicateField                   // a duplicate top-level field
	BadLabel                         // an unknown label
	BadWeight                        // the weight is not a number from 0 up
	BadFeatures                      // the features are not an object, or hold what cannot be a feature
	NotFinite                        // nan or inf
	OutOfRange                       // a value or weight over 1e30 in magnitude
	TooManyFeatures                  // more features than the limit
	NoFeatures                       // no feature
	BadTime                          // the time of a record of a file is none
	NoID                             // a label record without an id
	NoLabel                          // a label record without a label
	NoExample                        // no event has the label's id
	ConflictingLabel                 // the event has another label already
	LateLabel                        // the event waited for its label no longer
	TooManyClasses                   // one class more than the limit
	Overflow                         // the score or the step would not be finite
	PredictionTooLarge               // the prediction does not fit into a batch
	Internal                         // the decoder panicked
	reasons                          // the number of reasons
)

var reasonNames = [reasons]string{"", "empty", "too-large", "frame", "unknown-schema", "bad-schema", "encoding",
	"too-deep", "syntax", "envelope", "duplicate-field",
	"bad-label", "bad-weight", "bad-features", "not-finite", "out-of-range", "too-many-features", "no-features",
	"bad-time", "no-id", "no-label", "no-example", "conflicting-label", "late-label", "too-many-classes", "overflow",
	"prediction-too-large", "internal"}

// String returns the reason as in headers, metrics and logs.
func (r Reason) String() string { return reasonNames[r] }

// Reasons returns every reason a record can be rejected for, in the order of the checks.
func Reasons() []Reason {
	all := make([]Reason, 0, reasons-1)
	for r := Empty; r < reasons; r++ {
		all = append(all, r)
	}
	return all
}

// ParseReason returns the reason with this name.
func ParseReason(name string) (Reason, bool) {
	r := max(slices.Index(reasonNames[:], name), 0) // OK has no name
	return Reason(r), r > 0
}
