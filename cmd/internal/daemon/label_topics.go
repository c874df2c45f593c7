package daemon

import (
	"cmp"
	"time"

	"github.com/dustin/go-humanize"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
)

// LabelTopics says from which topic labels come that are not in their events, and what becomes of those meanwhile.
type LabelTopics struct {
	Labels     string `placeholder:"TOPIC"`
	Outcomes   string `placeholder:"TOPIC"`
	LateLabels `embed:""`

	LabelsIdle  time.Duration `default:"0s" placeholder:"DURATION"`
	LabelMemory `embed:""`
}

// LabelMemory bounds the events of waiting examples that are in memory.
type LabelMemory struct {
	WaitingMemory string `default:"256MiB" placeholder:"SIZE"`
}

// FlagHelp implements cli.Documented.
func (LabelMemory) FlagHelp() cli.Help {
	return `
waiting-memory: The features of waiting events that are kept; those of older ones are read again (default: ${default}).
`
}

// Bytes is the bound in bytes.
func (m *LabelMemory) Bytes(f *cli.Faults) int64 {
	n, err := humanize.ParseBytes(m.WaitingMemory)
	f.AddIf(err != nil || n > 1<<50, "waiting-memory: %q: want a number of bytes, as 256MiB", m.WaitingMemory)
	return int64(n)
}

// FlagHelp implements cli.Documented.
func (LabelTopics) FlagHelp() cli.Help {
	return `
labels: The topic of label records: labels that come later than their events (default: none).
outcomes: The topic of what became of predictions without a label, of this model alone (default: INPUT.outcomes).
labels-idle: A partition of labels that is read to its end and silent for so long counts as read up to now, as far as
	events, labels and the time that passes show (default: ${default}, never).
`
}

// CheckTopics fills in the name of the outcomes, and checks the names.
func (l *LabelTopics) CheckTopics(f *cli.Faults, t *Topics) {
	if l.Labels != "" {
		l.Outcomes = cmp.Or(l.Outcomes, suffixed(t.Input, ".outcomes"))
	}
	used := map[string]string{t.Input: "input", t.Output: "output", t.DeadLetter: "dead-letter",
		t.CheckpointTopic: "checkpoint-topic"}
	for _, n := range []struct{ setting, name string }{{"labels", l.Labels}, {"outcomes", l.Outcomes}} {
		if n.name == "" {
			continue
		}
		checkName(f, n.setting, n.name)
		if other := used[n.name]; other != "" {
			f.Addf("%s: %s is the topic of %s: want another one", n.setting, n.name, other)
		}
		used[n.name] = n.setting
	}
}

// unused adds a fault for each setting that has no effect without labels.
func (l *LabelTopics) unused(f *cli.Faults) {
	for _, n := range []struct{ setting, value string }{
		{"labels-format", l.LabelsFormat}, {"labels-schema", l.LabelsSchema},
		{"labels-message", l.LabelsMessage}, {"labels-id-field", l.LabelsIDField},
		{"labels-label-field", l.LabelsLabelField}, {"labels-weight-field", l.LabelsWeightField},
		{"assume-label", l.AssumeLabel},
	} {
		f.AddIf(n.value != "", "%s: it needs --labels", n.setting)
	}
	f.AddIf(len(l.LabelsColumns) > 0, "labels-columns: it needs --labels")
}

// late checks how later labels are joined with their events, after events and classes.
func (r *Resolved) late(f *cli.Faults) {
	l := &r.Settings.LabelTopics
	l.CheckTopics(f, &r.Settings.Topics)
	r.Kafka.Labels, r.Kafka.Outcomes = l.Labels, l.Outcomes
	if l.Labels == "" {
		l.unused(f)
		return
	}
	l.LateLabels.Check(f)
	f.AddIf(l.LabelsIdle < 0, "labels-idle: %v: want 0, for never, or more", l.LabelsIdle)
	memory := l.Bytes(f)
	if len(*f) > 0 {
		return // they may be about the events
	}
	o, d, err := l.InTopic(r.Task.ModelConfig.Decode)
	f.Check("labels", err)
	if err == nil && l.AssumeLabel != "" {
		_, err = d.ReadLabel(l.AssumeLabel)
		f.Check("assume-label", err)
	}
	r.Task.ModelConfig.Late = &model.LateLabels{Join: l.Join, Decode: o, Assume: l.AssumeLabel}
	r.Task.Labels = &state.LabelsConfig{Limits: l.Limits(), Slack: l.LabelSlack, Idle: l.LabelsIdle, Memory: memory}
}
