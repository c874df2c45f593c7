package training

import (
	"fmt"

	"rosenblatt/learner"
	"rosenblatt/learner/batch"
	"rosenblatt/stream/model"
)

type binary struct{ *plan }

func (b binary) machines(s *set) ([]machine, error) {
	return []machine{{examples: func() ([]batch.Example, []bool) { return s.examples, s.out }}}, nil
}

// adopt does nothing unless the model is written.
func (b binary) adopt(s *set, machines []machine) error {
	if b.Out == "" {
		return nil
	}
	adopt, r := s.weigh, machines[0].Result
	if r.Weights == nil {
		adopt = s.support
	}
	if err := adopt(r); err != nil {
		return fmt.Errorf("%s: %w", b.Out, err)
	}
	return nil
}

func (s *set) weigh(r *batch.Result) error {
	names := s.proc.Names(s.slots)
	for i, w := range r.Weights {
		if err := s.proc.Binary().SetWeight(s.slots[i], s.prints[i], []byte(names[i]), w); err != nil {
			return err
		}
	}
	return s.proc.Binary().SetBias(r.Bias)
}

// support keeps the examples that were corrected. The budget is what they need, at least the default.
func (s *set) support(r *batch.Result) error {
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
	if err := proc.Inherit(s.proc, 0); err != nil {
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
