package evaluate

import (
	"slices"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/event"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/topics"
)

// checkLabels checks what is about labels that come later.
func (p *plan) checkLabels(f *cli.Faults) {
	if p.Labels == "" {
		for _, flag := range []string{"outcomes", "time-field", "time-unit", "join", "labels-format", "labels-schema",
			"labels-id-field",
			"labels-label-field",
			"labels-weight-field", "labels-columns", "label-wait", "label-slack", "assume-label", "waiting-examples",
			"settled-ids"} {
			f.AddIf(p.given[flag], "%s: it needs --labels", flag)
		}
		return
	}
	p.LateLabels.Check(f)
	var err error
	p.timeUnit, err = cli.ParseTimeUnit(p.TimeUnit)
	f.Check("time-unit", err)
	if p.Topic != "" {
		f.AddIf(p.given["time-unit"], "time-unit: records of a topic have timestamps: leave it out")
		f.AddIf(p.TimeField != "", "time-field: records of a topic have timestamps: leave it out")
		f.AddIf(p.Outcomes != "" && p.Order != "journal", "outcomes: they are followed with --order journal only")
		f.AddIf(p.Labels == p.Topic, "labels: %s is the topic of events: want another one", p.Labels)
	} else {
		f.AddIf(p.TimeField == "", "labels: the order of events and labels needs their times: want --time-field")
		f.AddIf(p.ByKey(), "join: records of a file have no keys: leave it out")
		f.AddIf(p.Outcomes != "", "outcomes: they need --topic and --order journal")
		f.AddIf(p.given["labels-columns"], "labels-columns: the first row of a file names them: leave it out")
	}
	f.AddIf(p.given["delay"] || p.Repeat > 1 || p.Shuffle,
		"labels: they say when each label comes, in one pass: leave out --delay, --repeat and --shuffle")
	f.AddIf(p.Labels == "-" && slices.Contains(p.Files, "-"), "standard input can be read only once")
}

// lateOptions changes the options of events whose labels come later: the time is no feature, and a table may lack the
// column of labels.
func (p *plan) lateOptions(o event.Options, columns []string) event.Options {
	p.labelField = o.LabelField
	if p.TimeField != "" {
		o.Ignore = append(slices.Clone(o.Ignore), p.TimeField)
	}
	if columns == nil {
		columns = o.Columns
	}
	if columns != nil && !slices.Contains(columns, o.LabelField) {
		o.LabelField = ""
	}
	return o
}

// lateInput is where label records come from.
type lateInput struct {
	format     string
	table      source.Table
	partitions []int32 // of a topic, those that hold records
	where      func(partition int32, r *topics.Record) string
}

// late says how label records are joined; nil without them.
func (p *plan) late() (*replay.Labels, error) {
	from := p.lateFrom
	if from == nil {
		return nil, nil
	}
	out := &replay.Labels{
		Limits: p.Limits(), Assume: p.AssumeLabel, Partitions: from.partitions, Where: from.where,
		ByKey: p.ByKey(), Journal: p.Order == "journal", UnitKnown: p.TimeField != "",
		Partial: p.From != "" || p.To != "" || len(p.Partitions) > 0,
		Decode:  p.LateLabels.Options(p.decode, p.labelField, from.format, from.table.Columns),
	}
	out.Decode.Dialect = from.table.Dialect
	if err := p.useRegistry(&out.Decode); err != nil {
		return nil, err
	}
	p.lateDecode = out.Decode
	d, err := event.NewLabels(out.Decode, out.ByKey)
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
