package model

import (
	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// predictClass is Predict where there are several classes.
func (p *Processor) predictClass(e *event.Example, x []learner.Feature) (o *Outcome, reason event.Reason, text string) {
	o = &p.outcome
	*o = Outcome{Class: -1, Truth: -1}
	if e.Reason != event.OK {
		return o, e.Reason, e.Error
	}
	learns := e.Class != nil && !p.NoLearn
	if learns && !p.Multi.Admits(e.Class) {
		return o, event.TooManyClasses, learner.ErrTooManyClasses.Error() + "; raise it (max classes), or mend the label"
	}
	var err error
	if o.Class, o.Score, err = p.Multi.Predict(x); err != nil {
		return o, event.Overflow, err.Error()
	}
	o.Probability, o.Probable = p.Multi.Probability()
	if p.Scores {
		o.Scores = p.Multi.Scores()
	}
	if e.Class == nil {
		return o, event.OK, ""
	}
	o.Label, o.Truth = 1, p.Multi.ClassOf(e.Class)
	if given, ok := p.Multi.ProbabilityOf(o.Truth); ok {
		o.Given = max(given, metrics.MinProbability)
	}
	if learns {
		if o.Updated, err = p.Multi.Prepare(e.Class, e.Weight); err != nil {
			return o, event.Overflow, err.Error()
		}
		o.Truth = p.Multi.Label()
	}
	o.Mistake = o.Truth < 0 || o.Class != o.Truth
	return o, event.OK, ""
}

// learnClass is Learn where there are several classes.
func (p *Processor) learnClass(r *topics.Record, o *Outcome) {
	if o.Label == 0 {
		p.Classes.AddUnlabelled()
		return
	}
	steps := 0
	if !p.NoLearn {
		steps = p.Multi.Steps()
	}
	p.Classes.Add(o.Class, o.Truth, steps)
	if o.Given > 0 {
		p.Classes.AddProbability(o.Given)
	}
	p.Classes.AddNorm(p.Multi.SquaredNorm())
	if p.NoLearn {
		return
	}
	if p.Multi.Learn() {
		p.names.Walk(r.Key, r.Value, func(name []byte, f learner.Feature) { p.Multi.SetName(f.Slot, f.Print, name) })
	}
}

// AppendPrediction appends an answer's prediction as a JSON value, spelled as the user spells labels; null for no class.
func (p *Processor) AppendPrediction(dst []byte, options *event.Options, o *Outcome) []byte {
	switch {
	case p.Multi == nil:
		return options.AppendLabel(dst, o.Prediction, o.Family)
	case o.Class < 0:
		return append(dst, "null"...)
	}
	return event.AppendClass(dst, p.Multi.Classes()[o.Class])
}

// Report is the score in words. Of several classes precision, recall and F1 are macro averages; the AUC and the confusion of two labels are
// 0, for there are none: see Processor.Classes for the matrix.
func (p *Processor) Report() metrics.Report {
	if p.Multi == nil {
		return p.Score.Report()
	}
	return p.Classes.Report()
}

// Collisions counts the slots at which several names were met.
func (p *Processor) Collisions() int {
	if p.Multi != nil {
		return p.Multi.Collisions()
	}
	return p.Model.Collisions()
}

// columns are the long parts of the model.
func (p *Processor) columns() []learner.Column {
	if p.Multi != nil {
		return p.Multi.Columns()
	}
	return p.Model.Columns()
}

// score is what the score section of a checkpoint holds.
func (p *Processor) score() any {
	if p.Multi != nil {
		return p.Classes
	}
	return p.Score
}

// CopyTo copies model and score into a processor of the same configuration.
func (p *Processor) CopyTo(dst *Processor) {
	dst.Family = p.Family
	if p.Multi != nil {
		p.Multi.CopyTo(dst.Multi)
		p.Classes.CopyTo(dst.Classes)
		return
	}
	p.Model.CopyTo(dst.Model)
	*dst.Score = *p.Score
}

// Unscored is the same model with an empty score.
func (p *Processor) Unscored() *Processor {
	return &Processor{Model: p.Model, Score: new(metrics.Binary), Family: p.Family, NoLearn: p.NoLearn,
		Multi: p.Multi, Classes: new(metrics.Multiclass), Scores: p.Scores, names: p.names}
}

// Bias is the bias in the score of what was predicted, 0 for no class.
func (p *Processor) Bias(o *Outcome) float64 {
	switch {
	case p.Multi == nil:
		return p.Model.Bias()
	case o.Class < 0:
		return 0
	}
	return p.Multi.Bias(o.Class)
}

// Explain takes the score of what was predicted apart, see learner.Model.Explain and learner.Multi.Explain. For no class every
// contribution is 0.
func (p *Processor) Explain(o *Outcome, x []learner.Feature) []learner.Contribution {
	switch {
	case p.Multi == nil:
		return p.Model.Explain(x)
	case o.Class < 0:
		return make([]learner.Contribution, len(x))
	}
	return p.Multi.Explain(o.Class, x)
}

// AppendTruth appends the label of an answered example as AppendPrediction does the prediction.
func (p *Processor) AppendTruth(dst []byte, options *event.Options, o *Outcome) []byte {
	switch {
	case p.Multi == nil:
		return options.AppendLabel(dst, o.Label, o.Family)
	case o.Truth < 0 || o.Truth >= len(p.Multi.Classes()):
		return append(dst, "null"...)
	}
	return event.AppendClass(dst, p.Multi.Classes()[o.Truth])
}

// Labels are the two labels of a binary task, as answers spell them: the negative one first.
func (p *Processor) Labels(o *event.Options) (names [2]string) {
	if p.Multi == nil {
		names = [2]string{string(o.AppendLabel(nil, -1, p.Family)), string(o.AppendLabel(nil, +1, p.Family))}
	}
	return names
}
