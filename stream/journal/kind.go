package journal

import (
	"slices"

	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// Kind says what a record of the journal is.
type Kind uint8

// The kinds of records: predictions are in the output topic, all behind them in the outcomes topic.
const (
	Foreign     Kind = iota // not an entry of the model
	Predicted               // a prediction
	DuplicateID             // of the event predicted directly before: its id waits or is settled
	Labelled                // the label came
	Gone                    // the label came, and the input no longer holds the event
	Assumed                 // no label came in time, which stands for one
	Expired                 // no label came in time
	Evicted                 // too many waited
	kinds
)

var kindNames = [kinds]string{"foreign", "prediction", "duplicate", "labelled", "gone", "assumed", "expired", "evicted"}

func (k Kind) String() string { return kindNames[k] }

// ParseKind reads the name of an outcome's kind.
func ParseKind(name string) (k Kind, ok bool) {
	k = Kind(max(0, slices.Index(kindNames[:], name)))
	return k, k > Predicted
}

var outcomes = [kinds]labels.Outcome{DuplicateID: labels.Duplicate, Labelled: labels.Labelled, Gone: labels.Gone,
	Assumed: labels.Assumed, Expired: labels.Expired, Evicted: labels.Evicted}

// Outcome is how the waiting of an example ended; 0 of what is no outcome.
func (k Kind) Outcome() labels.Outcome { return outcomes[k] }

// KindOf is the kind of an outcome.
func KindOf(o labels.Outcome) Kind { return Kind(slices.Index(outcomes[:], o)) }

// Topic is the topic that holds entries of this kind.
func (k Kind) Topic() topics.Topic {
	if k == Predicted {
		return topics.Output
	}
	return topics.Outcomes
}

// ByLabel reports whether a label record made the outcome.
func (k Kind) ByLabel() bool { return k == Labelled || k == Gone }
