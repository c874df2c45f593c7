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
	names := s.proc.Model.Names(s.slots)
	for i, w := range r.Weights {
		if err := s.proc.Model.SetWeight(s.slots[i], s.prints[i], []byte(names[i]), w); err != nil {
			return err
		}
	}
	return s.proc.Model.SetBias(r.Bias)
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
	model, err := rebuilt(s.proc.Model, spec)
	if err != nil {
		return err
	}
	for i, k := range r.Counts {
		if k == 0 {
			continue
		}
		x := make([]learner.Feature, len(s.examples[i].X))
		for j, t := range s.examples[i].X {
			x[j] = learner.Feature{Slot: s.slots[t.Index], Print: s.prints[t.Index], Value: t.Value}
		}
		if err := model.Keep(x, s.examples[i].Label, float64(k)); err != nil {
			return err
		}
	}
	s.proc.Model, s.fixed.Learner = model, spec
	return model.SetBias(r.Bias)
}

// rebuilt is the same state under another spec, which must have the same columns.
func rebuilt(m *learner.Model, spec learner.Spec) (*learner.Model, error) {
	to, err := learner.New(spec)
	if err != nil {
		return nil, err
	}
	var texts [][]byte
	columns := m.Columns()
	for i, c := range to.Columns() {
		copy(c.Float64, columns[i].Float64)
		copy(c.Uint16, columns[i].Uint16)
		if c.Float64 == nil && c.Uint16 == nil {
			texts = append(texts, columns[i].Bytes)
		}
	}
	return to, to.Restore(m.State(), texts...)
}
