package labels

import "rosenblatt/stream/event"

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

// Error is why a label is a dead letter: for NoExample, Conflicting and Late. seconds adds what wrong times may mean.
func (v Verdict) Error(seconds bool) *event.Error {
	if seconds {
		return secondsErrors[v]
	}
	return verdictErrors[v]
}

// OfRejected is NoExample where it is known that the event was rejected.
var OfRejected = event.NewError(event.NoExample, "its event was rejected")

var (
	verdictErrors = newVerdictErrors("")
	secondsErrors = newVerdictErrors("; " + Seconds)
)

func newVerdictErrors(more string) map[Verdict]*event.Error {
	late := ": raise label wait"
	//mutation:late-by-seconds
	if more != "" { // waiting goes by the times that are wrong
		late = ""
	}
	return map[Verdict]*event.Error{
		NoExample: event.NewError(event.NoExample, "no event that was predicted has its id: none was"+
			" sent, or it was rejected; a number and a number in quotes are two ids"+more),
		Conflicting: event.NewError(event.ConflictingLabel, "its event has another label already"+more),
		Late:        event.NewError(event.LateLabel, "its event did not wait any longer"+late+more),
	}
}
