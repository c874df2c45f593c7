package model

import (
	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

// Classes are names by number, as in event.Example.Class; nil of a binary task.
func (p *Processor) Classes() []string { return p.task.classes() }

// Scheme is learner.Direct, OVA or OVO; empty of a binary task.
func (p *Processor) Scheme() string { return p.task.scheme() }

// Labels are the two labels as predictions spell them, negative first; of several classes empty.
func (p *Processor) Labels(options *event.Options) [2]string {
	return p.task.labels(options, p.Family)
}

// AppendPrediction appends the prediction as JSON, spelled as the user spells labels; null for None.
func (p *Processor) AppendPrediction(dst []byte, options *event.Options, o *Outcome) []byte {
	if o.Prediction == None {
		return append(dst, "null"...)
	}
	return p.task.appendClass(dst, options, o.Prediction, o.Family)
}

// AppendLabel appends a label as AppendPrediction does. Without the example, a class that the model does not know is
// null.
func (p *Processor) AppendLabel(dst []byte, options *event.Options, e *event.Example, o *Outcome) []byte {
	return p.task.appendLabel(dst, options, e, o)
}

// Bias is the bias of a class's score, 0 for None. Two labels share one.
func (p *Processor) Bias(class int) float64 {
	if class == None {
		return 0
	}
	return p.task.bias(class)
}

// Norm is the length of a class's weights, 0 where it has none: see learner.Model.Norm.
func (p *Processor) Norm(class int) float64 {
	if class == None {
		return 0
	}
	return p.task.norm(class)
}

// Top returns the n weights of largest magnitude of a class: of two labels the positive one's, in ovo sums over its
// pairs.
func (p *Processor) Top(class, n int) []learner.NamedWeight { return p.task.top(class, n) }

// Explain splits a class's score into contributions (learner.Model.Explain, learner.Multi.Explain), all 0 for None.
func (p *Processor) Explain(class int, x []learner.Feature) []learner.Contribution {
	if class == None {
		return make([]learner.Contribution, len(x))
	}
	return p.task.explain(class, x)
}

// Collisions counts the slots at which several names were met.
func (p *Processor) Collisions() int { return p.table.Collisions() }

// Names returns the names of slots (learner.Model.Names).
func (p *Processor) Names(slots []uint32) []string { return p.table.Names(slots) }
