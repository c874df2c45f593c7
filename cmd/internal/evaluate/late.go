package evaluate

import (
	"slices"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/event"
	"rosenblatt/stream/replay"
)

// checkLabels checks what is about labels that come later.
func (p *plan) checkLabels(f *cli.Faults) {
	if p.Labels == "" {
		for _, flag := range []string{"time-field", "labels-format", "labels-id-field", "labels-label-field",
			"labels-weight-field", "label-wait", "label-slack", "assume-label", "waiting-examples", "settled-ids"} {
			f.AddIf(p.given[flag], "%s: it needs --labels", flag)
		}
		return
	}
	p.LateLabels.Check(f)
	f.AddIf(p.Topic != "", "labels: they are joined with files of events: leave out --topic")
	f.AddIf(p.TimeField == "", "labels: the order of events and labels needs their times: want --time-field")
	f.AddIf(p.given["delay"] || p.Repeat > 1 || p.Shuffle,
		"labels: they say when each label comes, in one pass: leave out --delay, --repeat and --shuffle")
	f.AddIf(p.Labels == "-" && slices.Contains(p.Files, "-"), "standard input can be read only once")
}

// lateOptions changes the options of events whose labels come later: the time is no feature, and a table may lack the
// column of labels.
func (p *plan) lateOptions(o event.Options, columns []string) event.Options {
	p.labelField = o.LabelField
	o.Ignore = append(slices.Clone(o.Ignore), p.TimeField)
	if columns != nil && !slices.Contains(columns, o.LabelField) {
		o.LabelField = ""
	}
	return o
}

// late says how label records are joined; nil without them.
func (p *plan) late(from input) (*replay.Labels, error) {
	s, ok := from.(*joinedSource)
	if !ok {
		return nil, nil
	}
	table := s.labels.Table()
	out := &replay.Labels{
		Limits: p.Limits(), Assume: p.AssumeLabel, Where: s.whereLabel,
		Decode: p.LateLabels.Options(p.decode, p.labelField, s.labels.Format(), table.Columns),
	}
	out.Decode.Delimiter = table.Delimiter
	d, err := event.NewLabels(out.Decode)
	if err != nil {
		return nil, cli.Usagef("labels: %s: %w", p.Labels, err)
	}
	if out.Assume != "" {
		if _, err := d.ReadLabel(out.Assume); err != nil {
			return nil, cli.Usagef("assume-label: %w", err)
		}
	}
	return out, nil
}
