package model

import (
	"maps"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
)

// LabelCounts are of label records and of outcomes.
type LabelCounts struct {
	Read       int64            `json:"read"`       // label records
	Tombstones int64            `json:"tombstones"` // null values and header rows skipped
	Repeats    int64            `json:"repeats"`    // labels that their events had already
	Rejected   map[string]int64 `json:"rejected"`   // label records, by reason
	Outcomes   map[string]int64 `json:"outcomes"`   // by labels.Outcome
	NoID       int64            `json:"noID"`       // events with neither a label nor an id
	Delays     labels.Delays    `json:"delays"`     // of the labels with an outcome

	ByLabel labels.Lateness `json:"byLabel,omitzero"` // label records whose events are known, the newest ones
}

// Reject counts a rejected label record.
func (c *LabelCounts) Reject(r event.Reason) {
	if c.Rejected == nil {
		c.Rejected = map[string]int64{}
	}
	c.Read++
	c.Rejected[r.String()]++
}

// SkipTombstone counts a null value that is skipped.
func (c *LabelCounts) SkipTombstone() {
	c.Read++
	c.Tombstones++
}

// Clone returns a copy.
func (c *LabelCounts) Clone() *LabelCounts {
	out := *c
	out.Rejected, out.Outcomes, out.ByLabel = maps.Clone(c.Rejected), maps.Clone(c.Outcomes), c.ByLabel.Clone()
	return &out
}

// AddOutcome counts an outcome.
func (c *LabelCounts) AddOutcome(o labels.Outcome) {
	if c.Outcomes == nil {
		c.Outcomes = map[string]int64{}
	}
	c.Outcomes[o.String()]++
}
