package training

import (
	"fmt"
	"slices"

	"rosenblatt/learner"
	"rosenblatt/learner/batch"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// holdOut chooses the examples that are held out: a fraction of all, of several classes of each one's, so that every
// class keeps an example.
func (s *set) holdOut(fraction float64, seed uint64) {
	s.out = batch.HoldOut(len(s.examples), fraction, seed)
	if s.proc.Classes() == nil {
		return
	}
	for class := range s.proc.Classes() {
		var own []int
		for i, of := range s.classes {
			if of == class {
				own = append(own, i)
			}
		}
		for i, out := range batch.HoldOut(len(own), fraction, seed) {
			s.out[own[i]] = out
		}
	}
}

// rescale learns the statistics of scaling anew, from the examples trained on: an error on examples that had a part in
// how they are scaled would be too good.
func (s *set) rescale(features [][]learner.Feature) error {
	if s.fixed.Learner.Scale == learner.ScaleNone || !slices.Contains(s.out, true) {
		return nil
	}
	s.proc.ForgetScaling()
	for i, x := range features {
		if s.out[i] {
			continue
		}
		e := event.Example{Label: s.examples[i].Label, Family: s.proc.Family}
		if classes := s.proc.Classes(); classes != nil {
			e.Class = []byte(classes[s.classes[i]])
		}
		outcome, rejected := s.proc.Predict(&e, x)
		if rejected != nil {
			return fmt.Errorf("%s:%d: %w", s.source, s.lines[i], rejected)
		}
		s.proc.Learn(&topics.Record{}, outcome)
	}
	return nil
}
