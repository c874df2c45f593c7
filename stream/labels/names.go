package labels

import (
	"bytes"
	"cmp"
	"slices"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// names are the names of features that most examples of some segments have.
type names struct {
	features []learner.Feature // whatever their values
	record   topics.Record     // of one that has them
	number   uint64            // Example.Names of what is got
	numbers  []uint64          // those that stand for these names: each decoder has its own
}

// maxNumbers bounds names.numbers.
const maxNumbers = 16

func newNames(e *event.Example, x []learner.Feature, r *topics.Record) *names {
	n := &names{features: slices.Clone(x), record: *r}
	n.record.Key, n.record.Value = bytes.Clone(r.Key), bytes.Clone(r.Value)
	n.record.Headers = bytes.Clone(r.Headers)
	n.note(e.Names)
	return n
}

// bytes is the memory of names.
func (n *names) bytes() int64 {
	return int64(len(n.features))*featureBytes + int64(len(n.record.Key)+len(n.record.Value)+len(n.record.Headers))
}

func (n *names) note(number uint64) {
	if number == 0 {
		return
	}
	n.number = cmp.Or(n.number, number)
	if len(n.numbers) == maxNumbers {
		n.numbers = n.numbers[:0]
	}
	n.numbers = append(n.numbers, number)
}

// are reports whether features of an example have these names.
func (n *names) are(e *event.Example, x []learner.Feature) bool {
	if slices.Contains(n.numbers, e.Names) {
		return true
	}
	if !sameNames(n.features, x) {
		return false
	}
	n.note(e.Names)
	return true
}

// sameNames reports whether features differ in their values alone.
func sameNames(a, b []learner.Feature) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range b {
		if a[i].Slot != b[i].Slot || a[i].Print != b[i].Print || a[i].Kind != b[i].Kind {
			return false
		}
	}
	return true
}
