package model

import (
	"errors"
	"math"

	"rosenblatt/learner"
	"rosenblatt/learner/decision"
)

// Weights are initial weights of a model.
type Weights struct {
	Bias  float64
	Names []string // in this order
	Value map[string]float64

	// Scale is how the features of names were scaled where the weights come from, nil if they were not; Examples is how
	// many examples that was learned from, 0 if only the counts tell it.
	Scale    map[string]learner.Scaling
	Examples float64

	// Calibration is what scores of the weights mean, nil if that is not known. Cut is the score from which on Rule
	// predicts positive, nil if there is none.
	Calibration *decision.Platt
	Rule        decision.Rule
	Cut         *float64
}

// SetWeights sets the weights of an untrained model. An error names a weight that is out of range or whose slot belongs
// to another name.
func (p *Processor) SetWeights(w *Weights) error {
	m := p.Binary()
	if m == nil {
		return errors.New("initial weights are for a binary task: a task of several classes has a set of them for each")
	}
	p.Trained = true
	for _, name := range w.Names {
		slot, print := p.names.Hash([]byte(name))
		if err := m.SetWeight(slot, print, []byte(name), w.Value[name]); err != nil {
			return err
		}
	}
	if err := p.setScale(m, w); err != nil {
		return err
	}
	p.task.decisions().begin(w)
	return m.SetBias(w.Bias)
}

// begin begins with what is known of scores beside weights: with a calibration where this one calibrates, and with a
// cut of the same rule. A cut is a score, which means another probability without that calibration.
func (d *decisions) begin(w *Weights) {
	known := w.Calibration != nil
	//mutation:weights-calibration
	if d.calibrates && known {
		d.platt = *w.Calibration
	}
	//mutation:weights-cut
	if d.ruled && w.Cut != nil && d.cut.Rule() == w.Rule && d.calibrates == known {
		d.cut.Begin(d.odds().Of(*w.Cut))
	}
}

// setScale sets how features are scaled that have a scale among w. Without a number of examples it is the largest of
// the counts.
func (p *Processor) setScale(m *learner.Model, w *Weights) error {
	if w.Scale == nil {
		return nil
	}
	examples := w.Examples
	for _, s := range w.Scale {
		examples = max(examples, math.Ceil(s.Count))
	}
	if err := m.SetScaledExamples(examples); err != nil {
		return err
	}
	for _, name := range w.Names {
		s, scaled := w.Scale[name]
		if !scaled {
			continue
		}
		slot, _ := p.names.Hash([]byte(name))
		if err := m.SetScaling(slot, []byte(name), s); err != nil {
			return err
		}
	}
	return nil
}

// Binary is the model of a binary task, or nil.
func (p *Processor) Binary() *learner.Model {
	m, _ := p.table.(*learner.Model)
	return m
}

// Multi is the model of several classes, or nil.
func (p *Processor) Multi() *learner.Multi {
	m, _ := p.table.(*learner.Multi)
	return m
}
