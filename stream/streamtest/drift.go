package streamtest

import (
	"rosenblatt/learner/drift"
	"rosenblatt/stream/model"
)

// Resets is an audit's own view of when a learner begins anew: by a detector that sees nothing but what was published
// and its labels. It knows mistakes alone, not their costs.
type Resets struct {
	detector drift.Detector
	on       bool

	Count int
}

// NewResets returns the view of a configuration.
func NewResets(c *model.Config) *Resets {
	r := &Resets{}
	if rule, err := model.ParseDrift(c.Drift, c.Decide); err == nil && rule != nil && c.OnDrift == model.OnDriftReset {
		r.detector, r.on = drift.New(rule.Spec), true
	}
	return r
}

// Learned says that the label of a published prediction is learned, and reports whether the learner then begins anew.
func (r *Resets) Learned(untrained, mistake bool) (reset bool) {
	if !r.on || untrained {
		return false
	}
	x := 0.0
	if mistake {
		x = 1
	}
	if !r.detector.Add(x) {
		return false
	}
	latest, _ := r.detector.Latest()
	if latest.Drift {
		r.Count++
	}
	return latest.Drift
}
