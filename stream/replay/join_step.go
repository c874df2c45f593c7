package replay

import (
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
)

// step predicts an example, or ends its waiting.
func (p *evaluator) step(b *Block, s *step) {
	if s.outcome != 0 {
		p.endWaiting(b, s)
		return
	}
	o := p.predict(b, int(s.i))
	if o != nil && p.learner.Waits != nil {
		p.learner.Waits(s.number, s.duplicate)
	}
	switch {
	case o == nil:
	case s.number != 0:
		o.Count(&p.sums, 1)
		p.joined[s.number] = *o
	default:
		p.learn(&b.Records[s.i], o)
	}
}

// endWaiting scores the first prediction of an example, and learns the label with the present model.
func (p *evaluator) endWaiting(b *Block, s *step) {
	first, predicted := p.joined[s.number]
	delete(p.joined, s.number)
	if !predicted || p.failed != nil {
		return
	}
	first.Count(&p.sums, -1)
	x := Ending{Number: s.number, Outcome: s.outcome}
	defer func() {
		if p.learner.Ended != nil {
			p.learner.Ended(&x)
		}
	}()
	if s.outcome == labels.Labelled && s.kept != nil {
		x.Delay = b.Labels[s.i].Timestamp - s.kept.Record.Timestamp
	}
	if s.kept == nil {
		p.unlabelled(&first)
		return
	}
	e := s.kept.Example
	e.Label, e.Class, e.Family = s.label.Label, s.label.Class, s.label.Family
	if s.label.Weight >= 0 {
		e.Weight = s.label.Weight
	}
	o, rejected := p.proc.Predict(&e, s.kept.Features)
	if rejected != nil {
		why := NewRejected("the assumed label", nil, rejected)
		if s.outcome == labels.Labelled {
			why = NewRejected(p.run.Labels.where(b, int(s.i)), b.Labels[s.i].Value, rejected)
		}
		p.reject(why, p.seen)
		p.unlabelled(&first)
		x.Why = rejected
		return
	}
	p.proc.SetPrediction(&first)
	x.Example, x.Learned = &e, o
	p.learn(s.kept.Named(), o)
}

// unlabelled counts a prediction whose label does not come.
func (p *evaluator) unlabelled(first *model.Outcome) {
	first.Family = p.proc.Family
	p.learn(nil, first)
}
