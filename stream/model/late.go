package model

import (
	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
)

// How labels that come later find their events.
const (
	JoinID  = "id"  // by the id in both
	JoinKey = "key" // by the keys of both records
)

// LateLabels is how labels that come later than their events are read: what of it is fixed for a model.
type LateLabels struct {
	Join   string        `json:"join"`             // JoinID or JoinKey
	Decode event.Options `json:"decode"`           // of label records
	Assume string        `json:"assume,omitempty"` // the label that silence means; empty for none
}

// ByKey reports whether the records' keys are the ids.
func (l *LateLabels) ByKey() bool { return l.Join == JoinKey }

// LateState is the short part of what waits for labels: the rest are sections of a checkpoint.
type LateState struct {
	Clock labels.Clock `json:"clock"`
	labels.Bounds
	Duplicate *labels.Example `json:"duplicate,omitempty"` // the last prediction, if its outcome is next
	Replaced  int64           `json:"replaced,omitempty"`  // predictions up to this seq are of a deleted input topic
}
