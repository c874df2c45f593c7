package event

import (
	"fmt"
	"slices"
	"sync"

	"rosenblatt/stream/protobuf"
	"rosenblatt/stream/schema"
)

// namedMessages is for events of protobuf that name their schemas, and the places of their messages in them.
type namedMessages struct {
	naming
	found map[*schema.Schema][]*namedMessage
	last  *schema.Schema // that of the event before
	as    *namedMessage  // likewise
}

// namedMessage is a message that events name.
type namedMessage struct {
	indexes []int64
	top     *protobuf.Message // nil: there is none at this place
	err     error             // why the schema cannot be used
	plan    *protoPlan
	planned bool
}

func (p *protobufParser) names() *naming { return &p.schemas.naming }

// find finds the message that an event names, and where its data begin.
func (p *protobufParser) find(value, headers []byte) {
	n := &p.schemas
	s := n.find(&p.options, p.Decoder.place, value, headers)
	if s == nil {
		return
	}
	p.start = n.frame.Bytes
	if s != n.last || !slices.Equal(n.frame.Indexes, n.as.indexes) {
		if n.as != nil {
			n.as.plan, n.as.planned = p.plan, p.planned
		}
		n.last, n.as = s, n.message(s)
		p.plan, p.planned = n.as.plan, n.as.planned
	}
	switch m := n.as; {
	case m.err != nil:
		n.unusable(m.err)
	case m.top == nil:
		n.wrong = Error{Frame, -1, fmt.Sprintf("schema %v has no message at the place %v", n.frame.ID, m.indexes)}
	default:
		if p.top = m.top; p.envelope != nil {
			p.envelope.root = m.top
		}
	}
}

// mostPlaces bounds the places of messages of a schema that are kept: those that are none need not be.
const mostPlaces = 1000

// message returns the message of a schema that the frame of the event names.
func (n *namedMessages) message(s *schema.Schema) *namedMessage {
	if n.found == nil {
		n.found = map[*schema.Schema][]*namedMessage{}
	}
	for _, m := range n.found[s] {
		if slices.Equal(m.indexes, n.frame.Indexes) {
			return m
		}
	}
	m := &namedMessage{indexes: slices.Clone(n.frame.Indexes)}
	var file *protobuf.File
	if file, m.err = compiledFile(s); m.err == nil {
		if m.top = file.At(m.indexes); m.top != nil && !m.top.IsObject() {
			m.err = noObject(m.top)
		}
	}
	if len(n.found[s]) < mostPlaces {
		n.found[s] = append(n.found[s], m)
	}
	return m
}

// compiledFile compiles a schema that events name, once for all decoders.
func compiledFile(s *schema.Schema) (*protobuf.File, error) {
	once, _ := namedFiles.LoadOrStore(s, sync.OnceValues(func() (*protobuf.File, error) {
		if err := usable(s, schema.Protobuf, Protobuf); err != nil {
			return nil, err
		}
		return protobuf.Compile(s.Text, importsOf(s)...)
	}))
	return once.(func() (*protobuf.File, error))()
}

// importsOf are the references of a schema.
func importsOf(s *schema.Schema) []protobuf.Import {
	imports := make([]protobuf.Import, len(s.References))
	for i := range s.References {
		imports[i] = protobuf.Import{Path: s.References[i].Name, Text: s.References[i].Text}
	}
	return imports
}

// namedFiles has what is compiled of schemas, by their pointers.
var namedFiles sync.Map

func noObject(m *protobuf.Message) error {
	return fmt.Errorf("the message %s is no object in JSON, and no event", m.Name)
}
