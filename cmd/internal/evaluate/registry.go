package evaluate

import (
	"context"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream"
	"rosenblatt/stream/event"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/topics"
)

// useRegistry lets a topic's events, or label records, that name their schemas be read, and those that have the schema
// of a subject. The model's own schemas are known.
func (p *plan) useRegistry(o *event.Options) error {
	if p.Topic == "" || !o.NamesSchemas() && !o.Unasked() {
		return nil
	}
	if o.Unasked() {
		client, err := p.registryClient()
		if err != nil {
			return err
		}
		if client == nil {
			return cli.Usagef("%s", daemon.NoSubject)
		}
		s, err := client.AskSubject(context.Background(), o.Subject)
		if err != nil {
			return err
		}
		return o.TakeSchema(s)
	}
	known := p.gate.Known
	if own, ok := p.fixed.Decode.Schemas.(*schema.Known); ok {
		if err := known.Load(own.Entries()); err != nil {
			return err
		}
	}
	o.Schemas = known
	client, err := p.registryClient()
	switch {
	case err != nil:
		return err
	case client == nil && known.Size() == 0:
		return cli.Usagef("%s", daemon.NoSchemas)
	case client != nil:
		p.gate.Source, p.gate.Logger = client, daemon.ConsoleLog(p.program.Stderr)
	}
	return nil
}

// registryClient asks the registry; nil without one.
func (p *plan) registryClient() (*registry.Client, error) {
	var f cli.Faults
	with := p.RegistryOptions(&f)
	if err := f.Err(); err != nil || with == nil {
		return nil, err
	}
	with.Logger = daemon.ConsoleLog(p.program.Stderr)
	return registry.New(*with)
}

// awaiting lets the readers of topics wait for the schemas of events and of label records.
func (p *plan) awaiting(log topics.Opener) topics.Opener {
	return registry.Opener{Opener: log, Gate: &p.gate, Framing: func(t topics.Topic) (registry.Framing, bool) {
		if t == topics.Labels {
			return p.labelFraming(t)
		}
		return stream.FramingOf(&p.decode), p.decode.NamesSchemas()
	}}
}

// awaitingLabels is awaiting for a topic of labels that is read alone.
func (p *plan) awaitingLabels(log topics.Opener) topics.Opener {
	return registry.Opener{Opener: log, Gate: &p.gate, Framing: p.labelFraming}
}

func (p *plan) labelFraming(topics.Topic) (registry.Framing, bool) {
	o := &p.lateDecode
	return stream.FramingOf(o), o.NamesSchemas()
}
