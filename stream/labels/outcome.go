package labels

// Outcome is how the waiting of an example ended.
type Outcome uint8

// The outcomes. An example whose waiting has not ended has none, 0.
const (
	Labelled  Outcome = iota + 1 // its label came and was learned
	Assumed                      // no label came in time, and silence means one
	Expired                      // no label came in time
	Evicted                      // too many waited
	Gone                         // its label came, but its event is no more in the input
	Duplicate                    // its id was known when it was predicted; it never waited
	outcomes
)

var outcomeNames = [outcomes]string{"", "labelled", "assumed", "expired", "evicted", "gone", "duplicate"}

// String returns the outcome as in records, metrics and reports.
func (o Outcome) String() string { return outcomeNames[o] }

// Outcomes returns every outcome.
func Outcomes() []Outcome {
	return []Outcome{Labelled, Assumed, Expired, Evicted, Gone, Duplicate}
}

// bearsLabel reports whether a label came.
func (o Outcome) bearsLabel() bool { return o == Labelled || o == Gone }

// Verdict is what a label record does.
type Verdict uint8

// The verdicts.
const (
	// NoExample is a label whose event is not known: it is held, and then a dead letter (Merge.Hold).
	NoExample   Verdict = iota
	Waits               // its example waits: Labelled or Gone
	Repeat              // the label that its event has already: counted
	Conflicting         // another label than its event has: a dead letter
	Late                // its example was Assumed, Expired or Evicted: a dead letter
)
