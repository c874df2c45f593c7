package event

import (
	"rosenblatt/stream/protobuf"
)

// protobufParser walks along the bytes of a message of Protocol Buffers. What the value means is decided by its JSON
// form: the rules and their order are those of jsonParser. Fields are in the order in which the schema declares them,
// whatever their order in the value.
type protobufParser struct {
	keyed
	top     *protobuf.Message
	start   int // of the data in the value
	schemas namedMessages

	stretches []stretch         // where the fields of the messages are that are read
	heads     []chain           // of each field of these
	keys      []byte            // keys of maps around what is read
	around    []pathPart        // around what is checked
	groups    []int32           // scratch: unknown groups that are passed over
	nested    int               // messages around what is checked
	absent    bool              // what is checked has no JSON form
	wary      bool              // an id that is none is looked for
	tooDeep   int               // the offset of the first value that is nested too deep; -1: none
	current   scalar            // scratch
	strict    bool              // nothing is made of a fault
	envelope  *debeziumProtobuf // opens what is around each event; nil: nothing is, or the decoder opens it

	plan    *protoPlan // nil if there is none
	planned bool
	reads   func() bool // follow, which is made once
}

func newProtobuf(d *Decoder) parser {
	d.nameRoles()
	d.template.fixed = true // schemas need none
	p := &protobufParser{keyed: keyed{Decoder: d}}
	p.reads = p.follow
	if d.options.Schema != "" {
		p.top, _ = compiledMessage(d.options.Schema, d.options.Message)
	}
	if d.options.Envelope == Debezium {
		p.envelope = newDebeziumProtobuf(p.top)
	}
	return p
}

// open implements parser.
func (p *protobufParser) open(value, headers []byte) (whole, content []byte, skip bool) {
	named := p.options.Schema == ""
	if named {
		p.find(value, headers)
	}
	p.along, content = noPlan, value
	p.defaults = value != nil && (!named || p.schemas.frame.InHeader)
	if p.schemas.wrong.Reason != OK || p.top == nil {
		return value, value, false
	}
	if p.envelope != nil {
		if content = p.openRow(value); content == nil {
			return value, value, false
		}
	}
	if !p.planned {
		p.planned, p.plan = true, p.newPlan(p.top)
	}
	if p.plan != nil {
		p.along, p.template.template = p.reads, p.plan.template
	}
	return value, content, false
}

// scalar implements parser. There is no template.
func (p *protobufParser) scalar(int, *templateKey) int { return -1 }

// parse implements parser.
func (p *protobufParser) parse([]byte) {
	if p.schemas.wrong.Reason != OK {
		p.failed = p.schemas.wrong
		return
	}
	if !p.openedRow() || !p.checked() {
		return
	}
	p.stretches, p.heads = p.stretches[:0], p.heads[:0]
	p.beginObject()
	if m, v := p.event(); p.members(m, v, 0) {
		p.endObject()
	}
}

// event returns the event as a value.
func (p *protobufParser) event() (m *protobuf.Message, v protoValue) {
	m, head := p.top, p.stretch(p.start, len(p.value))
	if m.Meaning != protobuf.Struct {
		return m, protoValue{objectShape, nil, head}
	}
	place := m.Place(1)
	at := p.scan(m, head)
	v = protoValue{mapShape, &m.Fields[place], p.heads[at+place].head}
	return v.message(), v
}

// checked reports whether the event is well formed. Of what is wrong the first in the order of the bytes counts.
func (p *protobufParser) checked() bool {
	//mutation:protobuf-deep-counts
	if p.checkAll(false) && (p.tooDeep < 0 || !p.isDeep(p.event())) {
		return true
	}
	if p.checkAll(true); p.tooDeep >= 0 && (p.failed.Reason == OK || p.tooDeep < p.failed.Offset) {
		p.depth = p.options.MaxDepth
		p.deeper(p.tooDeep)
	}
	return false
}

// checkAll checks the event. With wary, an id that is an object or an array is a fault, too: it counts if it is before
// the others.
func (p *protobufParser) checkAll(wary bool) bool {
	p.stretches, p.heads, p.keys, p.around = p.stretches[:0], p.heads[:0], p.keys[:0], p.around[:0]
	p.depth, p.nested, p.absent, p.wary, p.tooDeep = 1, 0, false, wary, -1
	return p.check(p.top, p.start, len(p.value), 0) >= 0
}

// isDeep reports whether a value at level p.depth is nested deeper than the limit.
func (p *protobufParser) isDeep(m *protobuf.Message, v protoValue) (deep bool) {
	if v.shape <= nullShape {
		return false
	}
	if p.depth > p.options.MaxDepth {
		return true
	}
	p.depth++
	defer func() { p.depth-- }()
	heads, stretches := len(p.heads), len(p.stretches)
	switch v.shape {
	case objectShape:
		at := p.scan(m, v.head)
		for n := 0; n < len(m.Fields) && !deep; n++ {
			if f, head := &m.Fields[n], p.heads[at+n].head; p.has(f, head) {
				value := p.valueAt(f, head, false)
				deep = p.isDeep(value.message(), value)
			}
		}
	case mapShape:
		of := m.Value()
		for head := v.head; head >= 0 && !deep && !of.Absent; head = p.stretches[head].next {
			at := p.scan(m, p.stretch(p.stretches[head].from, p.stretches[head].to))
			value := p.valueAt(of, p.heads[at+m.Place(2)].head, false)
			deep = p.isDeep(value.message(), value)
		}
	case arrayShape:
		for e := p.elementsOf(v); !deep; {
			value, more := e.next(p)
			if !more {
				break
			}
			deep = p.isDeep(value.message(), value)
		}
	}
	p.heads, p.stretches = p.heads[:heads], p.stretches[:stretches]
	return deep
}

// members reads the members of an object: the fields of m, or the entries of a map. p.name[p.base:prefix] precedes
// their names. Like all methods that read a value, it reports false if the event is not well formed.
func (p *protobufParser) members(m *protobuf.Message, v protoValue, prefix int) bool {
	if v.shape == mapShape {
		return p.entries(v, prefix)
	}
	at, stretches := p.scan(m, v.head), len(p.stretches)
	roles := p.currentRoles()
	for n := range m.Fields {
		f, head := &m.Fields[n], p.heads[at+n].head
		if !p.has(f, head) {
			continue
		}
		name := p.sink.path(prefix, f.Name)
		if !p.member(p.valueAt(f, head, false), newField(name, prefix, roles.of(name))) {
			return false
		}
		p.stretches = p.stretches[:stretches]
	}
	p.heads = p.heads[:at]
	return true
}

// has reports whether a field of an object is there.
func (p *protobufParser) has(f *protobuf.Field, head int) bool {
	//mutation:protobuf-presence
	if f.Presence || f.Repeated {
		return head >= 0 && !f.Absent && !p.lacks(f, head)
	}
	//mutation:protobuf-empty-string
	if f.Kind == protobuf.String {
		return head >= 0 && p.stretches[head].from < p.stretches[head].to && !p.lacks(f, head)
	}
	return !f.Absent
}

// entries reads the entries of a map.
func (p *protobufParser) entries(v protoValue, prefix int) bool {
	entry := v.field.Message
	of := entry.Value()
	roles := p.currentRoles()
	stretches, keys := len(p.stretches), len(p.keys)
	for head := v.head; head >= 0; head = p.stretches[head].next {
		at := p.scan(entry, p.stretch(p.stretches[head].from, p.stretches[head].to))
		p.keys = p.keyText(p.keys[:keys], entry, at)
		//mutation:protobuf-entry-absent
		if !of.Absent {
			name := p.sink.path(prefix, p.keys[keys:])
			value := p.valueAt(of, p.heads[at+entry.Place(2)].head, false)
			if !p.isUnavailable(value) && !p.member(value, newField(name, prefix, roles.of(name))) {
				return false
			}
		}
		p.heads, p.stretches = p.heads[:at], p.stretches[:stretches]
	}
	p.keys = p.keys[:keys]
	return true
}
