package model

import (
	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

// Classes are the names of several classes by their numbers, as event.Example.Class has them; nil of a binary task.
func (p *Processor) Classes() []string { return p.task.classes() }

// Scheme is learner.Direct, OVA or OVO; empty of a binary task.
func (p *Processor) Scheme() string { return p.task.scheme() }

// Labels are the two labels of a binary task as predictions spell them, the negative one first; of several classes
// they are empty.
func (p *Processor) Labels(options *event.Options) [2]string {
	return p.task.labels(options, p.Family)
}

// AppendPrediction appends the prediction as a JSON value, spelled as the user spells labels; null for None.
func (p *Processor) AppendPrediction(dst []byte, options *event.Options, o *Outcome) []byte {
	if o.Prediction == None {
		return append(dst, "null"...)
	}
	return p.task.appendClass(dst, options, o.Prediction, o.Family)
}

// AppendLabel appends the label of a labelled example as AppendPrediction does the prediction. Without the example, a
// class that the model does not know is null.
func (p *Processor) AppendLabel(dst []byte, options *event.Options, e *event.Example, o *Outcome) []byte {
	return p.task.appendLabel(dst, options, e, o)
}

// Bias is the bias of a class's score, 0 for None. A binary task has one for both.
func (p *Processor) Bias(class int) float64 {
	if class == None {
		return 0
	}
	return p.task.bias(class)
}

// Top returns the n weights of largest magnitude of a class; in a binary task those of the positive label, in ovo
// sums over the pairs of the class.
func (p *Processor) Top(class, n int) []learner.NamedWeight { return p.task.top(class, n) }

// Explain splits the score of a class into its features' contributions, see learner.Model.Explain and
// learner.Multi.Explain. For None every contribution is 0.
func (p *Processor) Explain(class int, x []learner.Feature) []learner.Contribution {
	if class == None {
		return make([]learner.Contribution, len(x))
	}
	return p.task.explain(class, x)
}

// Collisions counts the slots at which several names were met.
func (p *Processor) Collisions() int { return p.table.Collisions() }

// Names returns the names of slots, see learner.Model.Names.
func (p *Processor) Names(slots []uint32) []string { return p.table.Names(slots) }
