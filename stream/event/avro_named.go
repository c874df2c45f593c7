package event

import (
	"errors"
	"fmt"
	"sync"

	"rosenblatt/stream/avro"
	"rosenblatt/stream/schema"
)

// naming is for events that name their schemas: what the current one names.
type naming struct {
	frame schema.Frame
	wrong Error // its frame or its schema
}

// namedSchemas is for events of avro that name their schemas: each of its own.
type namedSchemas struct {
	naming
	found map[*schema.Schema]*namedSchema
	last  *schema.Schema // that of the event before
}

// namedSchema is a schema that events name.
type namedSchema struct {
	top     *avro.Type
	err     error // why it cannot be used
	plan    *avroPlan
	planned bool
}

// NamesSchemas reports whether each event says which schema it was written with.
func (o *Options) NamesSchemas() bool { return o.HasSchema() && o.Schema+o.Subject == "" }

// find finds the schema that an event at a place names; nil if it cannot be read.
func (n *naming) find(o *Options, at schema.Place, value, headers []byte) *schema.Schema {
	if n.wrong = (Error{}); value == nil {
		return nil
	}
	if wrong := n.frame.Read(&Record{Value: value, Headers: headers}, o.Format == Protobuf); wrong != "" {
		n.wrong = Error{Frame, -1, wrong}
		return nil
	}
	var s *schema.Schema
	if o.Schemas != nil {
		s = o.Schemas.Lookup(n.frame.ID, at)
	}
	if s == nil {
		n.wrong = Error{UnknownSchema, -1, fmt.Sprintf("the registry does not know schema %v%s", n.frame.ID,
			n.frame.Hint(value))}
	}
	return s
}

// unusable says why the schema of an event cannot be used.
func (n *naming) unusable(err error) {
	n.wrong = Error{BadSchema, -1, fmt.Sprintf("schema %v: %v", n.frame.ID, err)}
}

// nameSchema appends to the error of a rejected event which schema it was written with.
func (n *naming) nameSchema(e *Error) {
	if n.wrong.Reason == OK && e.Reason > BadSchema {
		e.Text += fmt.Sprintf("; schema %v", n.frame.ID)
	}
}

// ReadsHeaders reports whether what a record is depends on its headers, too.
func (o *Options) ReadsHeaders() bool { return o.NamesSchemas() || o.Envelope == CloudEvents }

// find finds the schema that an event names, and where its data begin.
func (p *avroParser) find(value, headers []byte) {
	n := &p.schemas
	s := n.find(&p.options, p.place, value, headers)
	if s == nil {
		return
	}
	p.start = n.frame.Bytes
	if s != n.last {
		p.use(s)
	}
	if err := n.found[s].err; err != nil {
		n.unusable(err)
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
	once, _ := namedTypes.LoadOrStore(s, sync.OnceValues(func() (*avro.Type, error) { return compileNamed(s) }))
	return once.(func() (*avro.Type, error))()
}

// compileNamed compiles a schema that events name.
func compileNamed(s *schema.Schema) (*avro.Type, error) {
	if err := usable(s, schema.Avro, Avro); err != nil {
		return nil, err
	}
	return avro.Compile(s.Text, avroReferences(s)...)
}

// avroReferences are the texts of the references of a schema.
func avroReferences(s *schema.Schema) []string {
	references := make([]string, len(s.References))
	for i := range s.References {
		references[i] = s.References[i].Text
	}
	return references
}

// usable says what is wrong with a schema for a format.
func usable(s *schema.Schema, of, format string) error {
	switch {
	case s.Fault != "":
		return errors.New(s.Fault)
	case s.Type != of:
		return fmt.Errorf("it is of type %s, and --format is %s", s.Type, format)
	}
	return nil
}

// namedTypes has the types of schemas, by their pointers.
var namedTypes sync.Map

// noPlan follows no plan.
func noPlan() bool { return false }

func (p *avroParser) names() *naming { return &p.schemas.naming }
