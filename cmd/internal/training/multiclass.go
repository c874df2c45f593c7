package training

import (
	"fmt"
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

// adopt also counts the model's mistakes on all examples.
func (m multiclass) adopt(s *set, machines []machine) error {
	from := s.proc.Multi()
	to, err := learner.NewMulti(from.Spec())
	if err != nil {
		return err
	}
	state := from.State()
	for i := range state.Vectors {
		state.Vectors[i].Bias = machines[i].Bias
	}
	if err := to.Begin(state); err != nil {
		return err
	}
	weights := map[string][]float64{}
	for i := range machines {
		weights[strconv.Itoa(i)+".weights"] = machines[i].Weights
	}
	var texts [][]byte
	had := from.Columns()
	for i, c := range to.Columns() {
		copy(c.Float64, had[i].Float64)
		copy(c.Uint16, had[i].Uint16)
		if c.Float64 == nil && c.Uint16 == nil {
			texts = append(texts, had[i].Bytes)
		}
		for j, w := range weights[c.Name] {
			c.Float64[s.slots[j]] = w
		}
	}
	if err := to.Restore(state, texts...); err != nil {
		return err
	}
	to.CopyTo(from)
	for i, x := range s.features {
		class, _, err := to.Predict(x)
		if err != nil {
			return err
		}
		if class != s.classes[i] {
			s.mistakes++
		}
	}
	return nil
}
