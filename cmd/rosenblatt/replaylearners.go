package main

import (
	"fmt"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
)

// learners makes the learners that are to be evaluated, the model of --from-model first.
func (c *replayCommand) learners(plan *replayPlan, source replaySource) ([]replay.Learner, error) {
	var err error
	if plan.decode, err = c.options(plan, source.format(), source.columns()); err != nil {
		return nil, err
	}
	var all []replay.Learner
	if plan.model != nil {
		all = append(all, replay.Learner{Name: c.FromModel, Processor: plan.model})
	}
	for _, e := range plan.contenders {
		proc, err := c.processor(plan, e)
		if err != nil {
			return nil, err
		}
		all = append(all, replay.Learner{Name: e.name, Processor: proc})
	}
	return all, nil
}

// processor makes an untrained learner.
func (c *replayCommand) processor(plan *replayPlan, e contender) (*model.Processor, error) {
	spec := learner.Spec{Scale: c.Scale, Bits: plan.decode.Bits, MaxNames: c.MaxNames}
	if spec.Scale == "" {
		format, _ := event.FindFormat(plan.decode.Format)
		spec.Scale = format.Scale
	}
	if err := learner.ParseLearner(e.text, &spec); err != nil {
		return nil, &cli.UsageError{Err: err}
	}
	fixed := model.Config{Learner: spec, Decode: plan.decode, NoLearn: c.NoLearn}
	if plan.decode.Task == event.Multiclass {
		fixed.Multiclass, fixed.MaxClasses = e.scheme, c.MaxClasses
	}
	proc, err := model.NewProcessor(fixed)
	if err != nil {
		return nil, &cli.UsageError{Err: err}
	}
	if plan.weights != nil {
		if err := proc.SetWeights(plan.weights); err != nil {
			return nil, fmt.Errorf("weights: %w", err)
		}
	}
	return proc, nil
}
