package model

import (
	"errors"

	"rosenblatt/learner"
)

// Weights are the weights a fresh model starts from.
type Weights struct {
	Bias  float64
	Names []string // in the order in which they are set
	Value map[string]float64
}

// SetWeights gives an untrained model its first weights. Errors name the weight that is out of range or whose slot another
// name holds.
func (p *Processor) SetWeights(w *Weights) error {
	m := p.Binary()
	if m == nil {
		return errors.New("weights to start from are for a binary task: a task of several classes has a set of them for each")
	}
	for _, name := range w.Names {
		slot, print := p.names.Hash([]byte(name))
		if err := m.SetWeight(slot, print, []byte(name), w.Value[name]); err != nil {
			return err
		}
	}
	return m.SetBias(w.Bias)
}

// Binary is the model of a binary task, nil of several classes. It is for training, which sets weights.
func (p *Processor) Binary() *learner.Model {
	m, _ := p.table.(*learner.Model)
	return m
}

// Multi is the model of several classes, nil of a binary task.
func (p *Processor) Multi() *learner.Multi {
	m, _ := p.table.(*learner.Multi)
	return m
}
