package preflight

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/event"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/schema"
)

const registryLine = "registry"

// asking knows the schemas that a registry tells when it is asked once, within a time.
type asking struct {
	client  *registry.Client
	timeout time.Duration
	known   map[schema.ID]*schema.Schema

	subjects map[string]*schema.Schema
	failed   error // why it gave no answer: then it is not asked any more
}

// Lookup implements schema.Store.
func (a *asking) Lookup(id schema.ID, _ schema.Place) *schema.Schema {
	s, asked := a.known[id]
	if asked || a.failed != nil {
		return s
	}
	ctx, cancel := context.WithTimeout(context.Background(), a.timeout)
	defer cancel()
	if s, a.failed = a.client.Ask(ctx, id); a.failed == nil {
		a.known[id] = s
	}
	return s
}

// take makes options have the schema of the subject that they name, if there is one. It is asked once.
func (a *asking) take(o *event.Options) error {
	if !o.Unasked() || a == nil || a.failed != nil {
		return nil
	}
	s, has := a.subjects[o.Subject]
	if !has {
		ctx, cancel := context.WithTimeout(context.Background(), a.timeout)
		defer cancel()
		var err error
		if s, err = a.client.AskSubject(ctx, o.Subject); err != nil {
			return err
		}
		a.subjects[o.Subject] = s
	}
	return o.TakeSchema(s)
}

// ask prepares to ask the registry that the settings name, where events or label records name their schemas, or have
// that of a subject.
func (s *Settings) ask(named, unasked bool, f *cli.Faults) {
	with := s.RegistryFor(named, unasked, f)
	if with == nil {
		return
	}
	with.Logger = zerolog.Nop()
	client, err := registry.New(*with)
	if err == nil {
		s.schemas = &asking{client: client, timeout: s.Timeout, known: map[schema.ID]*schema.Schema{},
			subjects: map[string]*schema.Schema{}}
	}
}

// registry checks that the registry answers. Any answer will do: none may have id 0.
func (k *clusterCheck) registry() {
	a := k.settings.schemas
	if a == nil {
		return
	}
	where := strings.Join(k.settings.Registry.SchemaRegistry, ",")
	a.Lookup(schema.ID{}, schema.Place{})
	if a.failed == nil {
		k.ok(registryLine, "%s answers", where)
		return
	}
	if no, ok := errors.AsType[*registry.NoAnswer](a.failed); ok {
		k.fail(registryLine, no.Error(), no.Advice())
		return
	}
	k.fail(registryLine, fmt.Sprintf("%s: %v", where, a.failed), "is it reachable from here?")
}
