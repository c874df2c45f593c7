package event

import (
	"fmt"
	"sync"

	"rosenblatt/stream/avro"
	"rosenblatt/stream/schema"
)

// namedSchemas is for events that name their schemas: each of its own.
type namedSchemas struct {
	frame schema.Frame
	found map[*schema.Schema]*namedSchema
	last  *schema.Schema // that of the event before
	wrong Error          // of the current event: its frame or its schema
}

// namedSchema is a schema that events name.
type namedSchema struct {
	top     *avro.Type
	err     error // why it cannot be used
	plan    *avroPlan
	planned bool
}

// NamesSchemas reports whether each event says which schema it was written with.
func (o *Options) NamesSchemas() bool { return o.Format == Avro && o.Schema == "" }

// find finds the schema that an event names, and where its data begin.
func (p *avroParser) find(value, headers []byte) {
	n := &p.schemas
	n.wrong = Error{}
	if len(value) == 0 {
		return
	}
	if wrong := n.frame.Read(&Record{Value: value, Headers: headers}, false); wrong != "" {
		n.wrong = Error{Frame, -1, wrong}
		return
	}
	p.start = n.frame.Bytes
	var s *schema.Schema
	if p.options.Schemas != nil {
		s = p.options.Schemas.Lookup(n.frame.ID)
	}
	switch {
	case s == nil:
		n.wrong = Error{UnknownSchema, -1, fmt.Sprintf("the registry does not know schema %v%s", n.frame.ID,
			n.frame.Hint(value))}
	case s != n.last:
		p.use(s)
	}
	if s == n.last && s != nil && n.found[s].err != nil {
		n.wrong = Error{BadSchema, -1, fmt.Sprintf("schema %v: %v", n.frame.ID, n.found[s].err)}
	}
}

// use goes on with another schema.
func (p *avroParser) use(s *schema.Schema) {
	n := &p.schemas
	if n.found == nil {
		n.found = map[*schema.Schema]*namedSchema{}
	}
	if n.last != nil {
		before := n.found[n.last]
		before.plan, before.planned = p.plan, p.planned
	}
	now := n.found[s]
	if now == nil {
		now = &namedSchema{}
		now.top, now.err = compiledNamed(s)
		n.found[s] = now
	}
	n.last, p.root, p.top, p.plan, p.planned = s, now.top, now.top, now.plan, now.planned
}

// compiledNamed compiles a schema that events name, once for all decoders.
func compiledNamed(s *schema.Schema) (*avro.Type, error) {
	once, _ := namedTypes.LoadOrStore(s, sync.OnceValues(func() (*avro.Type, error) {
		switch {
		case s.Fault != "":
			return nil, fmt.Errorf("%s", s.Fault)
		case s.Type != schema.Avro:
			return nil, fmt.Errorf("it is of type %s, and --format is avro", s.Type)
		}
		references := make([]string, len(s.References))
		for i := range s.References {
			references[i] = s.References[i].Text
		}
		return avro.Compile(s.Text, references...)
	}))
	return once.(func() (*avro.Type, error))()
}

// namedTypes has the types of schemas, by their pointers.
var namedTypes sync.Map

// noPlan follows no plan.
func noPlan() bool { return false }

// nameSchema appends to the error of a rejected event which schema it was written with.
func (p *avroParser) nameSchema(e *Error) {
	if n := &p.schemas; n.wrong.Reason == OK && e.Reason > BadSchema {
		e.Text += fmt.Sprintf("; schema %v", n.frame.ID)
	}
}
