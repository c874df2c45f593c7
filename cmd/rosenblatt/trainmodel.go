package main

import (
	"fmt"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/learner"
	"rosenblatt/learner/batch"
	"rosenblatt/stream/model"
)

// write makes a model of the result and writes it to a file. With weights it is a perceptron, with a kernel a dual.
func (s *trainSet) write(path string, plan *trainPlan, r *batch.Result) error {
	fill := s.weigh
	if r.Weights == nil {
		fill = s.support
	}
	if err := fill(r); err != nil {
		return fmt.Errorf("%s: %w", path, unprefixed(err))
	}
	_, err := model.WriteFile(path, daemon.Build().String(), s.fixed, s.proc)
	return err
}

// weigh gives the model the weights.
func (s *trainSet) weigh(r *batch.Result) error {
	names := s.proc.Names(s.slots)
	for i, w := range r.Weights {
		if err := s.proc.Binary().SetWeight(s.slots[i], s.prints[i], []byte(names[i]), w); err != nil {
			return err
		}
	}
	return s.proc.Binary().SetBias(r.Bias)
}

// support gives the model the examples that were corrected. Its budget is what they need, or the usual one if that is more.
func (s *trainSet) support(r *batch.Result) error {
	kept := 0
	for _, k := range r.Counts {
		if k > 0 {
			kept++
		}
	}
	spec := s.fixed.Learner
	spec.Budget = max(kept, learner.DefaultBudget)
	fixed := s.fixed
	fixed.Learner = spec
	proc, err := model.NewProcessor(fixed)
	if err != nil {
		return err
	}
	if err := proc.Inherit(s.proc); err != nil {
		return err
	}
	proc.Family = s.proc.Family
	for i, k := range r.Counts {
		if k == 0 {
			continue
		}
		x := make([]learner.Feature, len(s.examples[i].X))
		for j, t := range s.examples[i].X {
			x[j] = learner.Feature{Slot: s.slots[t.Index], Print: s.prints[t.Index], Value: t.Value}
		}
		if err := proc.Binary().Keep(x, s.examples[i].Label, float64(k)); err != nil {
			return err
		}
	}
	s.proc, s.fixed = proc, fixed
	return proc.Binary().SetBias(r.Bias)
}
