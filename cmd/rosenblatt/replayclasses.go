package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

// contender is a learner that is to be evaluated.
type contender struct {
	name   string // as results show it
	text   string // as given
	scheme string // of several classes, else empty
}

// checkClasses checks how more than two labels are told apart, as far as can be told without the model.
func (c *replayCommand) checkClasses(w *cli.Faults) {
	w.AddIf(c.Task != event.Binary && c.Task != event.Multiclass, "task: %q: want %s or %s", c.Task, event.Binary, event.Multiclass)
	for i, scheme := range c.Multiclass {
		w.AddIf(scheme != learner.Direct && scheme != learner.OVA && scheme != learner.OVO, "multiclass: %q: want %s, %s or %s, or several of them", scheme, learner.Direct, learner.OVA, learner.OVO)
		w.AddIf(slices.Contains(c.Multiclass[:i], scheme), "multiclass: %s: it stands there twice", scheme)
	}
	w.AddIf(c.MaxClasses < 0, "max-classes: %d: want 1 or more", c.MaxClasses)
}

// task is what labels say: as the flag has it, else as the model has it.
func (c *replayCommand) task(plan *replayPlan) string {
	if plan.model != nil && !plan.given["task"] && plan.fixed.Decode.Task != "" {
		return plan.fixed.Decode.Task
	}
	return c.Task
}

// enter lists who is to be evaluated beside the model: each learner under each scheme asked for. Names tell the scheme where there
// are several. What a learner has no form of is left out, and said, as long as another scheme is left to it.
func (c *replayCommand) enter(plan *replayPlan, notes io.Writer) error {
	if c.task(plan) != event.Multiclass {
		if len(c.Multiclass) > 0 || c.MaxClasses != 0 {
			return cli.Usagef("multiclass and max-classes are for --task %s: leave them out", event.Multiclass)
		}
		for _, text := range plan.names {
			plan.contenders = append(plan.contenders, contender{name: text, text: text})
		}
		return nil
	}
	if plan.weights != nil {
		return &cli.UsageError{Err: errors.New("weights: a task of several classes has a set of them for each: leave them out")}
	}
	var used []string
	for _, text := range plan.names {
		schemes, err := c.schemes(text, notes)
		if err != nil {
			return &cli.UsageError{Err: err}
		}
		for _, scheme := range schemes {
			plan.contenders = append(plan.contenders, contender{name: text, text: text, scheme: scheme})
			if !slices.Contains(used, scheme) {
				used = append(used, scheme)
			}
		}
	}
	for i := range plan.contenders {
		if e := &plan.contenders[i]; len(used) > 1 {
			e.name += " " + e.scheme
		}
	}
	return nil
}

// schemes are those under which a learner is evaluated: without a word from the user direct where it has that form, else ova, as run
// has it.
func (c *replayCommand) schemes(text string, notes io.Writer) (all []string, err error) {
	spec := learner.MultiSpec{}
	if err := learner.ParseLearner(text, &spec.Spec); err != nil {
		return nil, err
	}
	asked := c.Multiclass
	if len(asked) == 0 {
		asked = []string{learner.Direct, learner.OVA}
	}
	var reasons []error
	for _, scheme := range asked {
		spec.Scheme = scheme
		if err := spec.Validate(); err != nil {
			reasons = append(reasons, err)
			continue
		}
		limited := spec
		limited.MaxClasses = c.MaxClasses
		if err := limited.Validate(); err != nil {
			return nil, err
		}
		if all = append(all, scheme); len(c.Multiclass) == 0 {
			return all, nil
		}
	}
	if len(all) == 0 {
		return nil, reasons[0]
	}
	for _, reason := range reasons {
		fmt.Fprintf(notes, "rosenblatt: %s: left out: %s\n", text, strings.TrimPrefix(reason.Error(), "learner: "))
	}
	return all, nil
}
