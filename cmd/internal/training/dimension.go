package training

import (
	"fmt"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner"
	"rosenblatt/learner/batch"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
)

// place numbers the slots and scales the values: those trained on by the statistics, which they are a part of; those
// held out as the model scales an event that it predicts, which takes it in.
func (s *set) place(features [][]learner.Feature) {
	for i, x := range features {
		terms := make([]batch.Term, len(x))
		for j, f := range x {
			terms[j] = batch.Term{Index: s.number(f.Slot, f.Print)}
		}
		//mutation:scaled-twice
		if s.out[i] {
			for j, part := range s.proc.Explain(0, x) {
				terms[j].Value = part.Value
			}
		} else {
			for j, value := range s.proc.Settled(x) {
				terms[j].Value = value
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

// begin sets the start: that of the file of weights, if there is one, and else random or 0. A weight without an example
// is a dimension too.
func (s *set) begin(d *event.Decoder, w *model.Weights, random *learner.Spec) error {
	if w == nil {
		s.randomize(random, 0)
		return nil
	}
	for _, name := range w.Names {
		s.number(d.Hash([]byte(name)))
	}
	if len(w.Names) > 0 {
		if err := s.proc.SetWeights(w); err != nil {
			return cli.Faults{fmt.Errorf("weights: %w", err)}
		}
		s.start = make([]float64, len(s.slots))
	}
	s.randomize(random, 0)
	s.bias = w.Bias
	for _, name := range w.Names {
		slot, _ := d.Hash([]byte(name))
		s.start[s.dimension[slot]] = w.Value[name]
	}
	return nil
}

// randomize sets the start of a machine, if that is random, as a model's separator of this number starts.
func (s *set) randomize(random *learner.Spec, machine int) {
	if random.StartWeights == "" {
		return
	}
	s.start = make([]float64, len(s.slots))
	for i, slot := range s.slots {
		s.start[i] = learner.StartWeight(random.StartSeed, machine, int(slot))
	}
	if s.fixed.Learner.Bias != learner.BiasOff {
		s.bias = learner.StartWeight(random.StartSeed, machine, 1<<s.fixed.Learner.Bits)
	}
}
