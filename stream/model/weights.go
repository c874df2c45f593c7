package model

import "errors"

// Weights are the weights a fresh model starts from.
type Weights struct {
	Bias  float64
	Names []string // in the order in which they are set
	Value map[string]float64
}

// SetWeights gives an untrained model its first weights. Errors name the weight that is out of range or whose slot another
// name holds.
func (p *Processor) SetWeights(w *Weights) error {
	if p.Multi != nil {
		return errors.New("weights to start from are for a binary task: a task of several classes has a set of them for each")
	}
	for _, name := range w.Names {
		slot, print := p.names.Hash([]byte(name))
		if err := p.Model.SetWeight(slot, print, []byte(name), w.Value[name]); err != nil {
			return err
		}
	}
	return p.Model.SetBias(w.Bias)
}
