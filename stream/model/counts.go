package model

import (
	"maps"
	"slices"
	"strings"
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// Counts are of events, and add up: Read = Predictions + the sum of Rejected + Tombstones.
type Counts struct {
	Read        int64            `json:"read"`
	Predictions int64            `json:"predictions"` // published
	Untrained   int64            `json:"untrained"`   // of them, those of Outcome.Untrained
	Tombstones  int64            `json:"tombstones"`  // null values and header rows skipped
	Rejected    map[string]int64 `json:"rejected"`    // by reason

	Labels *LabelCounts `json:"lateLabels,omitempty"` // nil without later labels
}

// Counter counts the records of a topic.
type Counter interface {
	Reject(event.Reason)
	SkipTombstone()
}

// Of counts the records of a topic that a task reads.
func (c *Counts) Of(t topics.Topic) Counter {
	if t != topics.Labels {
		return c
	}
	if c.Labels == nil {
		c.Labels = &LabelCounts{}
	}
	return c.Labels
}

// Reject counts a rejected record.
func (c *Counts) Reject(r event.Reason) {
	if c.Rejected == nil {
		c.Rejected = map[string]int64{}
	}
	c.Read++
	c.Rejected[r.String()]++
}

// Predict counts a prediction.
func (c *Counts) Predict(o *Outcome) {
	c.Read++
	c.Predictions++
	if o.Untrained {
		c.Untrained++
	}
}

// SkipTombstone counts a null value that is skipped.
func (c *Counts) SkipTombstone() {
	c.Read++
	c.Tombstones++
}

// Clone returns a copy.
func (c *Counts) Clone() Counts {
	out := *c
	out.Rejected = maps.Clone(c.Rejected)
	if c.Labels != nil {
		out.Labels = c.Labels.Clone()
	}
	return out
}

// Acceptance is an accepted stop: the state before it cannot be recomputed from the topics. That of another schema is
// an exception: what is known of schemas tells where it begins.
type Acceptance struct {
	Name      string    `json:"name"`
	What      string    `json:"what"`      // what was lost
	Seq       int64     `json:"seq"`       // of the last prediction before
	Epoch     int64     `json:"epoch"`     // the takeover it was accepted at
	Positions []int64   `json:"positions"` // of the input from there on
	Time      time.Time `json:"time"`
	Token     string    `json:"token,omitempty"` // of what was given up

	*topics.Ends // where verify continues; nil until the takeover is complete
}

// IsDone reports whether what a token accepts was accepted.
func IsDone(all []Acceptance, token string) bool {
	return slices.ContainsFunc(all, func(a Acceptance) bool { return a.Token == token })
}

// RuleSince is the seq of the last prediction by another rule than the present one, where a start accepted a change of
// --decide; else 0.
func RuleSince(all []Acceptance) (seq int64) {
	for i := range all {
		_, changes, _ := strings.Cut(all[i].What, ": ")
		//mutation:rule-since
		if a := &all[i]; a.Name == stops.ConfigDiffers && strings.Contains("; "+changes, "; decide was ") {
			seq = a.Seq
		}
	}
	return seq
}

// GivenUp returns those of acceptances that gave a part of the history up.
func GivenUp(all []Acceptance) []Acceptance {
	//mutation:schema-gives-nothing-up
	return slices.DeleteFunc(slices.Clone(all), func(a Acceptance) bool { return a.Name == stops.SchemaChanged })
}
