package audit

import (
	"cmp"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
)

// checkLabels checks what is about labels that come later. Which topics they are in, and how they are read, the
// checkpoint says if the settings do not.
func (p *plan) checkLabels(given map[string]bool) error {
	var f cli.Faults
	p.LateLabels.Check(&f)
	f.AddIf(p.LabelsIdle < 0, "labels-idle: %v: want 0, for never, or more", p.LabelsIdle)
	p.labels = state.LabelsConfig{Limits: p.Limits(), Idle: p.LabelsIdle, Memory: p.Bytes(&f)}
	p.limitsSaved(given)
	with := p.with
	with.Kafka.Labels, with.Kafka.Outcomes = p.Labels, p.Outcomes
	switch {
	case p.header != nil && p.header.Config.Late != nil:
		with.Kafka.Labels = cmp.Or(p.Labels, p.header.Labels.Name)
		with.Kafka.Outcomes = cmp.Or(p.Outcomes, p.header.Outcomes.Name)
		with.Task.ModelConfig.Late = p.header.Config.Late
	case p.header != nil && p.header.Outcomes.Name != "" && p.Labels == "": // labels were taken away
		with.Kafka.Outcomes = cmp.Or(p.Outcomes, p.header.Outcomes.Name)
	case p.Labels == "":
		f.AddIf(p.Outcomes != "", "outcomes: it needs --labels")
	default:
		with.Kafka.Outcomes = cmp.Or(p.Outcomes, with.Settings.Topics.Input+".outcomes")
		decode, _, err := p.InTopic(with.Task.ModelConfig.Decode)
		f.Check("labels", err)
		with.Task.ModelConfig.Late = &model.LateLabels{Join: p.Join, Decode: decode, Assume: p.AssumeLabel}
	}
	if len(f) > 0 {
		return f
	}
	return nil
}

// limitsSaved takes the limits that are not given from the newest checkpoint, which knows the loosest that the model
// ever had.
func (p *plan) limitsSaved(given map[string]bool) {
	h := p.newest.header
	if p.header == nil || h == nil || h.Late == nil {
		return
	}
	l, ever := &p.labels, h.Late.Ever
	if !given["label-wait"] {
		l.Wait = ever.Wait
	}
	if !given["waiting-examples"] {
		l.Examples = ever.Examples
	}
	if !given["settled-ids"] {
		l.Settled = ever.Settled
	}
	if !given["labels-idle"] && ever.Idle {
		l.Idle = time.Nanosecond // whether it was ever set is all that counts
	}
}
