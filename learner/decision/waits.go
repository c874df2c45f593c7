package decision

import "fmt"

// Inherit takes over what was counted until another rule held. The cut itself starts anew. So a rule does not wait
// again, as it would for weeks where labels are known for alerts alone. Without a rule before, the counts are those of
// the labels that are known.
func (c *Cut) Inherit(from *Cut, known [2]int64) {
	c.Labels, c.Events = known, from.Events
	if from.rule.Kind != Sign {
		c.Labels = from.Labels
	}
}

// Lack is something of which too little is known for a rule to hold.
type Lack struct {
	What   string `json:"what"` // "examples of" and a label, or "events"
	Known  int64  `json:"known"`
	Needed int64  `json:"needed"`
	Text   string `json:"text"` // for people
}

// Lacks returns what the rule waits for until it is Ready, by the names of the negative and the positive label. Sign
// waits for nothing.
func (c *Cut) Lacks(names [2]string) (all []Lack) {
	of := func(what string, known, needed int64) {
		if known < needed {
			all = append(all, Lack{what, known, needed, fmt.Sprintf("%d of %d %s are known", known, needed, what)})
		}
	}
	switch {
	case c.rule.Kind == Sign:
	case c.rule.Kind == Alerts:
		of("events", c.Events, readyEvents)
	default:
		for label, known := range c.Labels {
			of("examples of "+names[label], known, ready)
		}
	}
	return all
}
