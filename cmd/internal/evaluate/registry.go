package evaluate

import (
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream"
	"rosenblatt/stream/event"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/topics"
)

// useRegistry lets a topic's events that name their schemas be read. The model's own schemas are known.
func (p *plan) useRegistry(o *event.Options) error {
	if !o.NamesSchemas() || p.Topic == "" {
		return nil
	}
	known := p.gate.Known
	if own, ok := p.fixed.Decode.Schemas.(*schema.Known); ok {
		if err := known.Load(own.Entries()); err != nil {
			return err
		}
	}
	o.Schemas, p.named = known, true
	var f cli.Faults
	with := p.RegistryOptions(&f)
	if err := f.Err(); err != nil {
		return err
	}
	if with == nil {
		if known.Size() == 0 {
			return cli.Usagef("%s", daemon.NoSchemas)
		}
		return nil
	}
	with.Logger = daemon.ConsoleLog(p.program.Stderr)
	client, err := registry.New(*with)
	if err != nil {
		return err
	}
	p.gate.Source, p.gate.Logger = client, with.Logger
	return nil
}

// awaiting lets the readers of a topic wait for the schemas of events.
func (p *plan) awaiting(log topics.Opener) topics.Opener {
	return registry.Opener{Opener: log, Gate: &p.gate, Framing: func(t topics.Topic) (registry.Framing, bool) {
		return stream.FramingOf(&p.decode), p.named && t == topics.Input
	}}
}
