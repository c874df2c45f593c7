package evaluate

import (
	"cmp"
	"fmt"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/inspection"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
)

// readModel reads the model of --from-model.
func (p *plan) readModel() error {
	if p.FromModel == "" {
		return nil
	}
	file, err := inspection.Open(p.FromModel, p.program.Stderr)
	if err != nil {
		return fmt.Errorf("from-model: %w", err)
	}
	header, proc, err := model.Read(file)
	if err != nil {
		return fmt.Errorf("from-model: %w", err)
	}
	if file.Path != p.FromModel {
		fmt.Fprintf(p.program.Stderr, "rosenblatt: from-model: %s\n", file.Path)
	}
	if task := cmp.Or(header.Config.Decode.Task, event.Binary); p.given["task"] && p.Task != task {
		return cli.Usagef("task: %s is a model of task %s: leave --task out", p.FromModel, task)
	}
	p.model, p.fixed = proc.Unscored(), header.Config.Of(header.Champion)
	p.model.NoLearn = p.NoLearn
	for _, flag := range []string{"bits", "seed"} {
		if p.given[flag] && (p.Bits != p.fixed.Decode.Bits || p.Seed != p.fixed.Decode.Seed) {
			return cli.Usagef("%s: it is the model's: leave it out beside --from-model", flag)
		}
	}
	return nil
}

// task is the flag's, else the model's.
func (p *plan) task() string {
	if p.model != nil && !p.given["task"] && p.fixed.Decode.Task != "" {
		return p.fixed.Decode.Task
	}
	return p.Task
}

// numeric are the columns that were numbers before the first row was read.
func (p *plan) numeric() []string {
	if p.model != nil && !p.given["numeric"] {
		return p.fixed.Decode.Numeric
	}
	return p.Events.Numeric
}

func (p *plan) options(from input) (event.Options, error) {
	o := p.Events.Options(from.format(), p.Bits, p.Seed)
	o.Task = p.task()
	chosen := ""
	if p.Labels == "" {
		chosen, _ = p.OfFile(&o, from.table())
	}
	if p.model != nil {
		o = p.OfModel(o, p.fixed.Decode, p.given)
	}
	if p.Topic == "" {
		o.Encoding = "" // files are UTF-8 when they are decoded
	}
	if p.Labels != "" {
		o = p.lateOptions(o, from.table().Columns)
	}
	if err := p.useRegistry(&o); err != nil {
		return o, err
	}
	if err := p.Events.Complete(&o, from.table(), p.given["columns"]); err != nil {
		return o, err
	}
	if p.model != nil && o.Format == p.fixed.Decode.Format {
		return o, nil
	}
	if p.Labels == "" {
		chosen = cmp.Or(chosen, p.Events.ChooseLabel(&o))
	}
	if chosen != "" {
		p.note(chosen)
	}
	if o.Columns != nil && p.Topic == "" {
		daemon.NoteKinds(p.program.Stderr, &o, from.first())
	}
	return o, nil
}
