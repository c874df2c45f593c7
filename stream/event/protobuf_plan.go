package event

import (
	"slices"

	"rosenblatt/learner"
	"rosenblatt/stream/protobuf"
)

// protoPlan is what a decoder does along the bytes of the values of a message: it finds where the fields are, and then
// takes them in the order of the schema. It is to a message what avroPlan is to a schema of avro.
type protoPlan struct {
	*template // of the names of the features
	root      *protoNode
	event     uint32 // the number of the current event
	misses    int    // events since the last one that could be read
	had       uint8  // bit r is set if the event had a field with role r
	nodes     int
}

// protoNode is a message at a place of events.
type protoNode struct {
	of    *protobuf.Message
	steps []protoStep // for each field, in the order of the schema
	at    []int       // where the value of each field is in the current event; 0: nowhere
	tags  []uint16    // the places of the fields by their tags on the wire, from 1
	depth int         // of the objects around the values of its fields

	ordered bool // the values of its fields come in the order of the schema
}

// protoStep is what to do with a field.
type protoStep struct {
	op      protoOp
	of      *protobuf.Field
	key     *planKey        // of takeStep and of arrays; of others nil, or what has the role
	feature learner.Feature // of doubleStep
	node    *protoNode      // of objectStep
	keys    *mapKeys        // of a map or a Struct
	within  *protoStep      // of a Struct, its entries
	list    []*planKey      // of the elements of arrayStep
	had     bool            // the event before had the field
	last    int             // of arrayStep, how many elements that one had
	tag     uint64          // as it is written, of one value
	tagSize int
}

type protoOp uint8

const (
	protoGiveUp protoOp = iota // an event with the field is read by protobufParser
	protoDouble                // a double that is just a feature
	protoNumber                // likewise, another number
	protoTake                  // a value that is neither an object nor an array
	protoSkip
	protoObject
	protoMap
	protoArray
)

// mostNodes bounds a plan: a small schema may use a message over and over.
const mostNodes = 1000

// protoPlanner makes the plan of a message.
type protoPlanner struct {
	*protobufParser
	plan     *protoPlan
	hasField bool // there is a features field: nothing outside of it is a feature
	planned  bool // it is planned
}

// newPlan returns the plan of a message, nil if there is none.
func (p *protobufParser) newPlan(top *protobuf.Message) *protoPlan {
	if top.Meaning != protobuf.Object {
		return nil
	}
	m := &protoPlanner{protobufParser: p, plan: &protoPlan{template: new(template)}}
	m.plan.reset()
	if p.sums == nil {
		p.sums = make([]wordSum, 1<<wordBits)
	}
	m.plan.words = p.sums
	p.beginObject()
	p.name, p.base, p.prefixes = p.name[:0], 0, p.prefixes[:0]
	m.hasField = m.finds(top, 0)
	p.emit = p.emit && !m.hasField
	if m.plan.root = m.object(top, 0, nil); m.plan.nodes > mostNodes {
		return nil
	}
	return m.plan
}

// finds reports whether the features field is in a message.
func (m *protoPlanner) finds(t *protobuf.Message, prefix int) bool {
	if m.depth > m.options.MaxDepth {
		return false
	}
	return slices.ContainsFunc(t.Fields, func(f protobuf.Field) bool {
		name := m.sink.path(prefix, f.Name)
		if m.roles.of(name) == featuresRole {
			return true
		}
		if !m.roles.dotted || f.Repeated || f.Kind != protobuf.Nested || f.Message.Meaning != protobuf.Object {
			return false
		}
		m.name = append(append(m.name[:prefix], f.Name...), '.')
		m.depth++
		defer func() { m.depth-- }()
		return m.finds(f.Message, len(m.name))
	})
}

// object plans the fields of a message; around are those that it is within.
func (m *protoPlanner) object(t *protobuf.Message, prefix int, around []*protobuf.Message) *protoNode {
	n := &protoNode{of: t, depth: m.depth, at: make([]int, len(t.Fields)), steps: make([]protoStep, len(t.Fields))}
	if m.plan.nodes++; m.plan.nodes > mostNodes {
		return n
	}
	around = append(around[:len(around):len(around)], t)
	roles, last := m.currentRoles(), int32(0)
	n.ordered = true
	for i := range t.Fields {
		of := &t.Fields[i]
		n.ordered = n.ordered && of.Number > last && of.OneOf == nil
		last = of.Number
		name := m.sink.path(prefix, of.Name)
		f := newField(name, prefix, roles.of(name))
		s := &n.steps[i]
		s.of = of
		again := f.role == featuresRole && m.planned
		m.planned = m.planned || f.role == featuresRole
		if !again {
			m.member(s, f, around)
		}
		s.tag = uint64(of.Number)<<3 | uint64(of.Wire)
		s.tagSize = sizeOfTag(s.tag)
		n.addTag(s.tag, i)
		if of.Packs() {
			n.addTag(s.tag&^7|uint64(protobuf.Sized), i)
		}
	}
	return n
}

// member plans a field.
func (m *protoPlanner) member(s *protoStep, f field, around []*protobuf.Message) {
	if s.of.Absent {
		s.op, s.key = protoSkip, newRole(ignoreRole)
		return
	}
	switch f.role {
	case ignoreRole:
		m.leftOut(s, f, around)
	case textRole: // it is read by protobufParser
	case featuresRole:
		m.features(s, f, around)
	case plainRole:
		m.common(s, f, around)
	default:
		if !s.of.Repeated && !isObject(s.of) && !isValue(s.of) {
			s.op, s.key = protoTake, newRole(f.role)
		}
	}
}

// isValue reports whether a field may be any JSON.
func isValue(f *protobuf.Field) bool {
	return f.Kind == protobuf.Nested && f.Message.Meaning == protobuf.Value
}

// hasNames reports whether a field is an object in JSON.
func hasNames(f *protobuf.Field) bool {
	return f.IsMap() || !f.Repeated && isObject(f) && f.Message.Meaning != protobuf.List
}

// common plans a value without a role.
func (m *protoPlanner) common(s *protoStep, f field, around []*protobuf.Message) {
	switch {
	case hasNames(s.of):
		if !m.emit && !m.currentRoles().dotted {
			m.leftOut(s, f, around)
			return
		}
		m.nested(s, f, around)
	case !m.emit:
		m.leftOut(s, f, around)
	case s.of.Repeated:
		m.array(s, f)
	case isObject(s.of): // a list
	default:
		k := m.newFeature(m.plan.template, f.name, f.kind)
		if k.clash {
			return
		}
		s.op, s.key, s.feature = protoTake, k, k.templateKey.feature
		switch {
		case !k.isPlain():
		case s.of.Kind == protobuf.Double:
			s.op = protoDouble
		case s.of.Kind < protobuf.Bool:
			s.op = protoNumber
		}
	}
}

// leftOut plans a value that is no feature, and what in it has a role.
func (m *protoPlanner) leftOut(s *protoStep, f field, around []*protobuf.Message) {
	switch {
	case hasNames(s.of) && m.currentRoles().dotted && f.role != ignoreRole:
		m.nested(s, f, around)
	case !hasNames(s.of) && !isValue(s.of) || !m.currentRoles().dotted:
		s.op, s.key = protoSkip, newRole(f.role)
	}
}

// nested plans an object within the event.
func (m *protoPlanner) nested(s *protoStep, f field, around []*protobuf.Message) {
	if m.depth >= m.options.MaxDepth {
		return
	}
	end := m.hold(&f)
	m.name = append(m.name[:end], '.')
	m.depth++
	m.names(s, end+1, around)
	m.depth--
}

// names plans the members of an object.
func (m *protoPlanner) names(s *protoStep, prefix int, around []*protobuf.Message) {
	switch t := s.of.Message; {
	case t.Meaning == protobuf.Object && !s.of.Repeated:
		if !slices.Contains(around, t) {
			s.op, s.node = protoObject, m.object(t, prefix, around)
		}
	default:
		s.op = protoMap
		s.keys = &mapKeys{prefix: slices.Clone(m.name[m.base:prefix]), emit: m.emit, roles: m.currentRoles()}
		entry := t
		if !s.of.Repeated {
			of := &t.Fields[t.Place(1)]
			s.within = &protoStep{of: of, tag: uint64(of.Number)<<3 | uint64(of.Wire), tagSize: 1}
			entry = of.Message
		}
		value := entry.Value()
		if s.keys.doubles = value.Kind == protobuf.Double; isValue(value) {
			s.keys.skip, s.keys.doubles = 2, true
		}
		s.keys.doubles = s.keys.doubles && entry.Fields[entry.Place(1)].Kind == protobuf.String
	}
}

// features plans the features object.
func (m *protoPlanner) features(s *protoStep, f field, around []*protobuf.Message) {
	if !hasNames(s.of) || m.inside || !m.hasField || m.depth >= m.options.MaxDepth {
		return
	}
	base := m.base
	m.base, m.inside, m.emit = f.prefix, true, true
	m.depth++
	m.names(s, f.prefix, around)
	m.depth--
	m.base, m.inside, m.emit = base, false, false
	s.key = newRole(featuresRole)
}

// array plans an array of features.
func (m *protoPlanner) array(s *protoStep, f field) {
	if s.of.Kind == protobuf.Bool || s.of.Kind == protobuf.Nested || f.kind == timeKind ||
		m.depth >= m.options.MaxDepth {
		return
	}
	k := m.newKey(m.plan.template, f.name, f.kind)
	m.setName(&k.templateKey, f.name)
	s.op, s.key = protoArray, k
}
