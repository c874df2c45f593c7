package model

import (
	"errors"

	"rosenblatt/learner"
)

// Weights are initial weights of a model.
type Weights struct {
	Bias  float64
	Names []string // in this order
	Value map[string]float64
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
	return m.SetBias(w.Bias)
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
