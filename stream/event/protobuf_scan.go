package event

import (
	"rosenblatt/stream/protobuf"
)

// stretch is where a value is written. What is written in several places is a chain of stretches.
type stretch struct {
	from, to int
	packed   bool // several values of a repeated field
	next     int  // -1: none
}

// chain is where the values of a field are; head -1: nowhere.
type chain struct{ head, last int }

// stretch adds a stretch that is a chain of its own.
func (p *protobufParser) stretch(from, to int) (head int) {
	p.stretches = append(p.stretches, stretch{from: from, to: to, next: -1})
	return len(p.stretches) - 1
}

// scan finds where the fields of a message are that is written at a chain of stretches. p.heads[at:] has a chain for
// each field of the message, until the caller cuts p.heads and p.stretches to what they were. What is read is well
// formed, but for an entry of which the check needs the key before its end.
func (p *protobufParser) scan(m *protobuf.Message, head int) (at int) {
	at = len(p.heads)
	for range m.Fields {
		p.heads = append(p.heads, chain{-1, -1})
	}
	for ; head >= 0; head = p.stretches[head].next {
		for i, end := p.stretches[head].from, p.stretches[head].to; i < end; {
			number, wire, next := p.tag(i, end)
			if next < 0 {
				return at
			}
			from, to, next := p.extent(number, wire, next, end)
			if i = next; i < 0 {
				return at
			}
			place := m.Place(number)
			if place < 0 {
				continue
			}
			switch f := &m.Fields[place]; {
			case f.Wire == wire:
				p.found(m, at, place, stretch{from: from, to: to, next: -1})
			case wire == protobuf.Sized && f.Packs() && to > from:
				p.found(m, at, place, stretch{from: from, to: to, packed: true, next: -1})
			}
		}
	}
	return at
}

// found adds a value to the chain of its field.
func (p *protobufParser) found(m *protobuf.Message, at, place int, s stretch) {
	f := &m.Fields[place]
	for _, other := range f.OneOf {
		//mutation:protobuf-oneof
		if other != place {
			p.heads[at+other] = chain{-1, -1}
		}
	}
	n := len(p.stretches)
	p.stretches = append(p.stretches, s)
	c := &p.heads[at+place]
	//mutation:protobuf-merge
	if c.head < 0 || !f.Repeated && f.Kind != protobuf.Nested {
		*c = chain{n, n}
		return
	}
	p.stretches[c.last].next = n
	c.last = n
}

// shape is what a value is in JSON.
type shape uint8

const (
	scalarShape shape = iota
	nullShape
	objectShape
	mapShape // an object of which the names are keys
	arrayShape
)

// protoValue is a value of a message. What is written nowhere is a default.
type protoValue struct {
	shape shape
	field *protobuf.Field
	head  int // the chain of where it is
}

// message is what an object is of.
func (v protoValue) message() *protobuf.Message { return v.field.Message }

// offset is where a value is in the event, -1 for a default.
func (p *protobufParser) offset(v protoValue) int {
	if v.head < 0 {
		return -1
	}
	return p.stretches[v.head].from
}

// valueAt returns the value of a field that is at a chain of stretches, or with one the value of an element or of an
// entry. It may add to p.stretches.
func (p *protobufParser) valueAt(f *protobuf.Field, head int, one bool) protoValue {
	switch {
	case !one && f.IsMap():
		return protoValue{mapShape, f, head}
	case !one && f.Repeated:
		return protoValue{arrayShape, f, head}
	case f.Kind != protobuf.Nested:
		return protoValue{scalarShape, f, head}
	}
	m := f.Message
	switch m.Meaning {
	case protobuf.Object:
		return protoValue{objectShape, f, head}
	case protobuf.Struct, protobuf.List:
		at := p.scan(m, head)
		place := m.Place(1)
		within := p.heads[at+place].head
		p.heads = p.heads[:at]
		return p.valueAt(&m.Fields[place], within, false)
	case protobuf.Value:
		return p.valueOf(m, head)
	}
	return protoValue{scalarShape, f, head}
}

// valueOf returns what a google.protobuf.Value is.
func (p *protobufParser) valueOf(m *protobuf.Message, head int) protoValue {
	at := p.scan(m, head)
	defer func() { p.heads = p.heads[:at] }()
	for place := range m.Fields {
		if f := &m.Fields[place]; p.heads[at+place].head >= 0 {
			if f.Number == 1 {
				break
			}
			return p.valueAt(f, p.heads[at+place].head, false)
		}
	}
	return protoValue{nullShape, &m.Fields[0], head}
}

// elements are the elements of an array.
type elements struct {
	field *protobuf.Field
	head  int // of those left
	i     int // of the next one in a packed run; 0: it is its first
	mark  int // stretches before the current one
}

func (p *protobufParser) elementsOf(v protoValue) elements {
	e := elements{field: v.field, head: v.head, mark: len(p.stretches)}
	//mutation:unlogged-protobuf
	if p.envelope != nil && e.isUnloggedArray(p) {
		e.head = -1
	}
	return e
}

// next reports whether there is one more element. It is valid until next is called again.
func (e *elements) next(p *protobufParser) (v protoValue, ok bool) {
	//mutation:protobuf-unavailable
	for v, ok = e.one(p); ok && p.isUnavailable(v); {
		v, ok = e.one(p)
	}
	return v, ok
}

// one is next with elements that the database did not log.
func (e *elements) one(p *protobufParser) (v protoValue, ok bool) {
	p.stretches = p.stretches[:e.mark]
	if e.head < 0 {
		return v, false
	}
	s := p.stretches[e.head]
	from, to := s.from, s.to
	if s.packed {
		from = max(e.i, s.from)
		_, to, _ = p.extent(e.field.Number, e.field.Wire, from, s.to)
		e.i = to
	}
	if !s.packed || to >= s.to {
		e.head, e.i = s.next, 0
	}
	return p.valueAt(e.field, p.stretch(from, to), true), true
}
