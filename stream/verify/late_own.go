package verify

import (
	"slices"

	"rosenblatt/stream/labels"
)

// ownLabels are labels that ids may have been settled with, besides what the audit knows of them: those of events that
// bore their own label when their id was settled otherwise. A daemon that remembered the id ignores such a label, one
// that had forgotten it settles the id anew, and neither leaves a trace. The ids noted last are in the first map, those
// of before in the second one.
type ownLabels [2]map[labels.ID][]labels.Label

// settleOwn settles the id of an event that bears its own label.
func (l *outcomeAudit) settleOwn(id labels.ID, label labels.Label) {
	switch verdict, _ := l.Waiting.Find(id, label); verdict {
	case labels.NoExample:
		l.Waiting.Own(id, label)
	case labels.Conflicting, labels.Late:
		//mutation:verify-own-again
		l.own.add(id, label, l.Waiting.Limits.Settled)
	}
}

// add notes a label. Of a daemon that remembers so many settled ids, an id that it settled anew is forgotten before
// twice as many others have been noted: each of those is settled anew behind it, or was known and before it.
func (o *ownLabels) add(id labels.ID, label labels.Label, settled int) {
	if o[0] == nil || len(o[0]) > 2*settled {
		o[0], o[1] = map[labels.ID][]labels.Label{}, o[0]
	}
	if !slices.Contains(o[0][id], label) {
		o[0][id] = append(o[0][id], label)
	}
}

// forget forgets an id that waits again.
func (o *ownLabels) forget(id labels.ID) {
	delete(o[0], id)
	delete(o[1], id)
}

// same reports whether an id may have been settled with a label.
func (o *ownLabels) same(id labels.ID, label labels.Label) bool {
	return slices.Contains(o[0][id], label) || slices.Contains(o[1][id], label)
}

// other reports whether an id may have been settled with another label than one.
func (o *ownLabels) other(id labels.ID, label labels.Label) bool {
	differs := func(own labels.Label) bool { return own != label }
	return slices.ContainsFunc(o[0][id], differs) || slices.ContainsFunc(o[1][id], differs)
}
