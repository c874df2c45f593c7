package main

import (
	"cmp"
	"fmt"
	"strconv"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner"
	"rosenblatt/learner/batch"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
)

// machine is one separator of several classes, as training left it: a class against all others or, of a pair, against one.
type machine struct {
	class, against string // against is empty for all others
	*batch.Result
}

// classesResult is what training on several classes came to.
type classesResult struct {
	machines []machine
	mistakes int // of the model that the machines make, on all examples
	updates  int64
}

// separated tells whether every machine is.
func (r *classesResult) separated() bool {
	for _, m := range r.machines {
		if !m.Separated {
			return false
		}
	}
	return true
}

// checkClasses checks how more than two labels are told apart.
func (c *trainCommand) checkClasses(w *cli.Faults, plan *trainPlan, kernel batch.Kernel) {
	w.AddIf(c.Task != event.Binary && c.Task != event.Multiclass, "task: %q: want %s or %s", c.Task, event.Binary, event.Multiclass)
	if c.Task != event.Multiclass {
		w.AddIf(c.Multiclass != "" || c.MaxClasses != 0, "multiclass and max-classes are for --task %s: leave them out", event.Multiclass)
		return
	}
	plan.scheme = cmp.Or(c.Multiclass, learner.OVA)
	w.AddIf(plan.scheme != learner.OVA && plan.scheme != learner.OVO, "multiclass: %q: train has %s and %s", plan.scheme, learner.OVA, learner.OVO)
	w.AddIf(kernel.Name != "" && kernel.Name != batch.Linear, "algorithm: kernel %s: several classes are trained with the linear one", kernel.Name)
	w.AddIf(c.Weights != "", "weights: a task of several classes has a set of them for each: leave them out")
}

// trainClasses trains a machine for each class, or pair of classes, and gives the model their weights.
func (s *trainSet) trainClasses(plan *trainPlan) (*classesResult, error) {
	classes := s.proc.Classes()
	if len(classes) < 2 {
		return nil, fmt.Errorf("%s: all labels are %s: want two classes or more", s.source, classes[0])
	}
	o := plan.options
	out := &classesResult{}
	train := func(class, against string, examples []batch.Example) error {
		r, err := batch.Train(examples, len(s.slots), o)
		if err != nil {
			return unprefixed(err)
		}
		out.machines = append(out.machines, machine{class, against, r})
		out.updates += r.Updates
		return nil
	}
	if o.Work > 0 { // it is for all of them together
		machines := len(classes)
		if plan.scheme == learner.OVO {
			machines = len(classes) * (len(classes) - 1) / 2
		}
		o.Work = max(1, o.Work/int64(machines))
	}
	for j, class := range classes {
		if plan.scheme == learner.OVA {
			if err := train(class, "", s.against(j, -1)); err != nil {
				return nil, err
			}
			continue
		}
		for i, first := range classes[:j] {
			if err := train(first, class, s.against(i, j)); err != nil {
				return nil, err
			}
		}
	}
	return out, s.adopt(out)
}

// against are the examples of a class with label 1 and those of another one with -1; of all others, where that is -1.
func (s *trainSet) against(class, other int) (out []batch.Example) {
	for i, of := range s.classes {
		switch {
		case of == class:
			out = append(out, batch.Example{X: s.examples[i].X, Label: 1})
		case of == other || other < 0:
			out = append(out, batch.Example{X: s.examples[i].X, Label: -1})
		}
	}
	return out
}

// adopt makes a model of the machines and counts its mistakes.
func (s *trainSet) adopt(r *classesResult) error {
	from := s.proc.Multi()
	to, err := learner.NewMulti(from.Spec())
	if err != nil {
		return err
	}
	state := from.State()
	for i := range state.Vectors {
		state.Vectors[i].Bias = r.machines[i].Bias
	}
	if err := to.Begin(state); err != nil {
		return err
	}
	weights := map[string][]float64{}
	for i := range r.machines {
		weights[strconv.Itoa(i)+".weights"] = r.machines[i].Weights
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
			r.mistakes++
		}
	}
	return nil
}

// manyLabels is met when most labels of a file are none that two-label training knows.
func (s *trainSet) manyLabels() error {
	bad := s.rejected[event.BadLabel.String()]
	return fmt.Errorf("%s: %d of %d labels are none of -1, 0, 1, true and false: to tell one label from all others give --positive LABEL; for two names --label-names NEGATIVE,POSITIVE; for several classes --task multiclass",
		s.source, bad, bad+int64(len(s.examples)))
}

// writeClasses writes the model.
func (s *trainSet) writeClasses(path, build string) error {
	_, err := model.WriteFile(path, build, s.fixed, s.proc)
	return err
}
