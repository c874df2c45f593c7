package training

import (
	"fmt"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner"
	"rosenblatt/learner/batch"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
)

// place numbers the slots and scales the values as the complete model does, so that scores are the model's.
func (s *set) place(features [][]learner.Feature) {
	for i, x := range features {
		terms := make([]batch.Term, len(x))
		for j, f := range x {
			terms[j] = batch.Term{Index: s.number(f.Slot, f.Print), Value: f.Value}
		}
		if s.fixed.Learner.Scale != learner.ScaleNone {
			for j, part := range s.proc.Explain(0, x) {
				terms[j].Value = part.Value
			}
		}
		s.examples[i].X = terms
	}
}

func (s *set) number(slot uint32, print uint16) int32 {
	d, known := s.dimension[slot]
	if !known {
		d = int32(len(s.slots))
		s.dimension[slot] = d
		s.slots, s.prints = append(s.slots, slot), append(s.prints, print)
	}
	return d
}

// begin sets the start. A weight without an example is a dimension too.
func (s *set) begin(d *event.Decoder, w *model.Weights) error {
	if w == nil {
		return nil
	}
	s.bias = w.Bias
	if len(w.Names) == 0 {
		return nil
	}
	if err := s.proc.SetWeights(w); err != nil {
		return cli.Faults{fmt.Errorf("weights: %w", err)}
	}
	for _, name := range w.Names {
		s.number(d.Hash([]byte(name)))
	}
	s.start = make([]float64, len(s.slots))
	for _, name := range w.Names {
		slot, _ := d.Hash([]byte(name))
		s.start[s.dimension[slot]] = w.Value[name]
	}
	return nil
}
