package replay

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"rosenblatt/stream/event"
)

// Rejected is a record that is no example, or that a learner rejects.
type Rejected struct {
	Where   string // as Source.Where has it
	Column  int    // byte in its line from 1; 0 if unknown
	Reason  event.Reason
	Text    string // with the name of the field or column
	Learner string // that rejects it; empty when all do

	at   int64 // its number in the stream
	rank int   // of the learner
}

// Error implements error: "events.csv:17:5: syntax: expected a comma".
func (r *Rejected) Error() string {
	where := r.Where
	if r.Column > 0 {
		where += ":" + strconv.Itoa(r.Column)
	}
	if r.Learner != "" {
		where += ": " + r.Learner
	}
	return fmt.Sprintf("%s: %s: %s", where, r.Reason, r.Text)
}

func (r *Rejected) before(other *Rejected) bool {
	return other == nil || r.at < other.at || r.at == other.at && r.rank < other.rank
}

// NewRejected returns the rejection of a value. Its column is known if the value is one line up to the offset.
func NewRejected(where string, value []byte, why *event.Error) *Rejected {
	r := &Rejected{Where: where, Reason: why.Reason, Text: why.Message()}
	if at := why.Offset; at >= 0 && at <= len(value) && bytes.IndexByte(value[:at], '\n') < 0 {
		r.Column, r.Text = at+1, why.Text
	}
	return r
}

// Reject is the first record that is rejected for a reason.
type Reject struct {
	Text  string // what is wrong with it
	Value []byte // its first bytes
}

func newReject(why *event.Error, value []byte) Reject {
	const most = 1024
	return Reject{why.Message(), bytes.Clone(value[:min(len(value), most)])}
}

// keptRejects is how many rejected records are kept with their texts; all are counted.
const keptRejects = 20

type rejects struct {
	count map[event.Reason]int64
	first []*Rejected
}

// has reports whether a record was rejected; after the last kept one it is assumed.
func (r *rejects) has(at int64) bool {
	for _, x := range r.first {
		if x.at >= at {
			return x.at == at
		}
	}
	return len(r.first) == keptRejects
}

// common counts what all learners rejected, and returns the first records that any learner rejected, with its name
// unless all did.
func common(evaluators []*evaluator) (count map[event.Reason]int64, first []*Rejected) {
	count = maps.Clone(evaluators[0].rejects.count)
	for _, p := range evaluators[1:] {
		for reason := range count {
			count[reason] = min(count[reason], p.rejects.count[reason])
		}
	}
	maps.DeleteFunc(count, func(_ event.Reason, n int64) bool { return n == 0 })
	for _, p := range evaluators {
		for _, x := range p.rejects.first {
			if slices.ContainsFunc(evaluators, func(other *evaluator) bool { return !other.rejects.has(x.at) }) {
				x.Learner = p.learner.Name
			} else if p.rank > 0 {
				continue
			}
			first = append(first, x)
		}
	}
	slices.SortStableFunc(first, func(a, b *Rejected) int { return cmp.Compare(a.at, b.at) })
	return count, first[:min(len(first), keptRejects)]
}
