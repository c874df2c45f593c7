package training

import (
	"fmt"
	"slices"
	"strconv"

	"rosenblatt/learner"
	"rosenblatt/learner/batch"
)

type multiclass struct{ *plan }

// machines returns one for each class, or for each pair.
func (m multiclass) machines(s *set) (all []machine, err error) {
	classes := s.proc.Classes()
	if len(classes) < 2 {
		return nil, fmt.Errorf("%s: all labels are %s: want two classes or more", s.source, classes[0])
	}
	for j, class := range classes {
		if m.scheme == learner.OVA {
			others := func() ([]batch.Example, []bool) { return s.against(j, -1) }
			all = append(all, machine{class: class, examples: others})
			continue
		}
		for i, first := range classes[:j] {
			pair := func() ([]batch.Example, []bool) { return s.against(i, j) }
			all = append(all, machine{class: first, against: class, examples: pair})
		}
	}
	return all, nil
}

// against labels examples of class 1 and those of other -1; -1 is all others.
func (s *set) against(class, other int) (examples []batch.Example, out []bool) {
	for i, of := range s.classes {
		label := int8(-1)
		switch {
		case of == class:
			label = 1
		case of != other && other >= 0:
			continue
		}
		examples, out = append(examples, batch.Example{X: s.examples[i].X, Label: label}), append(out, s.out[i])
	}
	return examples, out
}

// adopt also counts the model's mistakes on all examples, scaled as they were for training.
func (m multiclass) adopt(s *set, machines []machine) error {
	from := s.proc.Multi()
	spec := from.Spec()
	to, err := m.build(s, spec, machines)
	if err != nil {
		return err
	}
	to.CopyTo(from)
	spec.Scale, spec.HalfLife, spec.Clip = learner.ScaleNone, 0, 0
	unscaled, err := m.build(s, spec, machines)
	if err != nil {
		return err
	}
	for i, x := range s.features {
		scaled := slices.Clone(x)
		for j := range scaled {
			scaled[j].Value = s.examples[i].X[j].Value
		}
		class, _, err := unscaled.Predict(scaled)
		if err != nil {
			return err
		}
		if class != s.classes[i] {
			s.mistakes++
		}
	}
	return nil
}

// build makes a model of the machines, with what the processor knows.
func (m multiclass) build(s *set, spec learner.MultiSpec, machines []machine) (*learner.Multi, error) {
	to, err := learner.NewMulti(spec)
	if err != nil {
		return nil, err
	}
	from := s.proc.Multi()
	state := from.State()
	for i := range state.Vectors {
		state.Vectors[i].Bias = machines[i].Bias
	}
	if err := to.Begin(state); err != nil {
		return nil, err
	}
	weights, had := map[string][]float64{}, map[string]learner.Column{}
	for i := range machines {
		weights[strconv.Itoa(i)+".weights"] = machines[i].Weights
	}
	for _, c := range from.Columns() {
		had[c.Name] = c
	}
	var texts [][]byte
	for _, c := range to.Columns() {
		copy(c.Float64, had[c.Name].Float64)
		copy(c.Uint16, had[c.Name].Uint16)
		if c.Float64 == nil && c.Uint16 == nil {
			texts = append(texts, had[c.Name].Bytes)
		}
		for j, w := range weights[c.Name] {
			c.Float64[s.slots[j]] = w
		}
	}
	return to, to.Restore(state, texts...)
}
