package model

import "rosenblatt/learner"

// Unscored is the champion alone, with an empty score.
func (p *Processor) Unscored() *Processor {
	alone := beside{learners: []string{OwnName}}
	return (&Processor{Family: p.Family, NoLearn: p.NoLearn, Scores: p.Scores, Trained: p.Trained,
		names: p.names, beside: alone}).with(p.task.unscored())
}

// Inherit gives an untrained model of another configuration the score of from and what both share. Challengers that
// from does not have, or of another learner, begin after seq.
func (p *Processor) Inherit(from *Processor, seq int64) error { return p.inheritBeside(from, seq) }

func (p *Processor) inherit(from *Processor) error {
	if err := p.inheritModel(from); err != nil {
		return err
	}
	from.task.copyScore(p.task)
	from.sliced.copyTo(&p.sliced)
	//mutation:drifts-inherited
	p.inheritDrifts(from)
	return nil
}

// inheritDecisions goes on with calibration and cut where both have the same.
func (p *Processor) inheritDecisions(from *Processor) {
	if by := p.task.decisions(); by != nil {
		by.inherit(from.task.decisions(), from.task.known())
	}
}

// inheritModel copies columns of the same name and length.
func (p *Processor) inheritModel(from *Processor) error {
	p.Trained = from.Trained
	p.inheritDecisions(from)
	var h Header
	from.task.state(&h)
	if err := p.task.begin(&h); err != nil {
		return err
	}
	old := map[string]learner.Column{}
	var texts [][]byte
	for _, c := range from.table.Columns() {
		old[c.Name] = c
	}
	for _, c := range p.table.Columns() {
		was := old[c.Name]
		if c.Float64 == nil && c.Uint16 == nil {
			texts = append(texts, was.Bytes)
		}
		if len(was.Float64) == len(c.Float64) && len(was.Uint16) == len(c.Uint16) {
			copy(c.Float64, was.Float64)
			copy(c.Uint16, was.Uint16)
		}
	}
	return p.task.restore(&h, texts)
}
