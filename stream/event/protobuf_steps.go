package event

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"rosenblatt/stream/protobuf"
)

// follow reads an event along the plan. It reports false if protobufParser has to read it.
func (p *protobufParser) follow() bool {
	t := p.plan
	if t.event++; t.misses > misfits && t.event%relearnAfter != 0 {
		return false
	}
	t.misses++
	t.had, p.depth = 0, 1
	if !p.message(t.root, p.start, len(p.value)) || p.failed.Reason != OK {
		return false
	}
	if t.list == 0 && !p.moved && !p.words {
		t.list, t.listed = lists.Add(1), len(p.arena)-p.Decoder.start
	}
	t.misses = 0
	return true
}

// message reads a message along the plan, and reports false as follow does.
func (p *protobufParser) message(n *protoNode, i, end int) bool {
	if n.ordered {
		return p.inOrder(n, i, end)
	}
	if !p.locate(n, i, end) {
		return false
	}
	for place := range n.steps {
		s := &n.steps[place]
		at := n.at[place]
		if at == 0 {
			if !p.withoutValue(s) {
				return false
			}
			continue
		}
		next := p.step(n, s, at, end)
		if next < 0 || s.of.Repeated && !p.lastOf(s, next, end) {
			return false
		}
		p.note(s)
	}
	return true
}

// note notes that the event has a field.
func (p *protobufParser) note(s *protoStep) {
	if !s.had {
		s.had, p.plan.list, p.moved = true, 0, true
	}
}

// inOrder is message for fields that are in the order of the schema, as most writers have them. It reads them as they
// come.
func (p *protobufParser) inOrder(n *protoNode, i, end int) bool {
	place := 0
	for i < end {
		next := 0
		if place < len(n.steps) {
			next = n.steps[place].tagAt(p.value[:end], i)
		}
		if next == 0 {
			other, behind, ok := n.find(p.value[:end], i)
			switch {
			case !ok:
				if i = p.unknownField(n, i, end); i < 0 {
					return false
				}
				continue
			case other < place:
				n.ordered = false
				return false
			}
			for ; place < other; place++ {
				if !p.withoutValue(&n.steps[place]) {
					return false
				}
			}
			next = behind
		}
		s := &n.steps[place]
		if s.op == protoDouble {
			i, place = p.doubles(n, place, next, end)
		} else {
			i = p.step(n, s, next, end)
			p.note(s)
			place++
		}
		if i < 0 {
			return false
		}
	}
	for ; place < len(n.steps); place++ {
		if !p.withoutValue(&n.steps[place]) {
			return false
		}
	}
	return i == end
}

// doubles reads numbers that are just features, from the field at place on, whose value is at offset i. It returns the
// offset after them, or -1, and the place of the next field.
func (p *protobufParser) doubles(n *protoNode, place, i, end int) (next, after int) {
	b, arena := p.value[:end], p.arena
	for {
		s := &n.steps[place]
		if i+8 > len(b) {
			return -1, place
		}
		v := math.Float64frombits(binary.LittleEndian.Uint64(b[i:]))
		//mutation:protobuf-plan-range
		if !(v >= -limit && v <= limit) {
			return -1, place
		}
		f := s.feature
		f.Value = v
		arena = append(arena, f)
		if !s.had {
			p.note(s)
		}
		i += 8
		if place++; place == len(n.steps) || n.steps[place].op != protoDouble {
			break
		}
		behind := n.steps[place].tagAt(b, i)
		if behind == 0 {
			break
		}
		i = behind
	}
	p.arena = arena
	return i, place
}

// unknownField passes over a field that the schema has not, or not with its type. It returns -1 if the schema has it,
// and its tag is none that is found.
func (p *protobufParser) unknownField(n *protoNode, i, end int) int {
	number, wire, next := p.tag(i, end)
	if next < 0 {
		return -1
	}
	if place := n.of.Place(number); place >= 0 {
		f := &n.of.Fields[place]
		//mutation:protobuf-known-field
		if f.Wire == wire || f.Packs() && wire == protobuf.Sized {
			return -1
		}
	}
	_, _, next = p.extent(number, wire, next, end)
	return next
}

// locate finds where the fields of a message are.
func (p *protobufParser) locate(n *protoNode, i, end int) bool {
	b := p.value[:end]
	clear(n.at)
	for i < end {
		place, next, ok := n.find(b, i)
		if !ok {
			if i = p.unknownField(n, i, end); i < 0 {
				return false
			}
			continue
		}
		s := &n.steps[place]
		switch {
		case n.at[place] == 0 && !n.hasOther(place):
			n.at[place] = next
		case !s.of.Repeated || s.op == protoSkip:
			return false
		}
		if _, _, i = p.extent(s.of.Number, protobuf.Wire(b[i]&7), next, end); i < 0 {
			return false
		}
	}
	return true
}

// hasOther reports whether another member of a oneof was before.
func (n *protoNode) hasOther(place int) bool {
	for _, other := range n.steps[place].of.OneOf {
		if n.at[other] != 0 {
			return true
		}
	}
	return false
}

// withoutValue does what is done for a field that is not in the event.
func (p *protobufParser) withoutValue(s *protoStep) bool {
	f := s.of
	if s.key != nil && s.key.role == featuresRole {
		return false // other fields are features then
	}
	if f.Presence || f.Repeated {
		//mutation:protobuf-plan-names
		if s.had {
			s.had, p.plan.list, p.moved = false, 0, true
		}
		return true
	}
	switch s.op {
	case protoDouble, protoNumber:
		p.arena = append(p.arena, s.feature)
	case protoTake:
		if f.Kind == protobuf.String {
			return true
		}
		p.readDefault(f, &p.current)
		return p.takeAt(-1, s.key)
	case protoGiveUp:
		return false
	}
	return true
}

// takeAt takes the value that was read.
func (p *protobufParser) takeAt(at int, k *planKey) bool {
	x := &p.current
	if x.kind == textScalar && !utf8.Valid(x.text) {
		return false
	}
	if k.role == plainRole {
		return p.featureAt(k, x)
	}
	p.take(at, &field{role: k.role}, x)
	return true
}

// step takes the value of a field, which is at offset at in a message up to end. It returns the offset after it, of a
// repeated field that after its values in a row, or -1 where follow reports false.
func (p *protobufParser) step(n *protoNode, s *protoStep, at, end int) int {
	switch s.op {
	case protoDouble, protoNumber:
		return p.numberAt(s, at, end)
	case protoTake:
		return p.takeField(n, s, at, end)
	case protoSkip:
		return p.skipField(n, s, at, end)
	case protoObject:
		from, to, next := p.extent(s.of.Number, s.of.Wire, at, end)
		if next < 0 || !p.message(s.node, from, to) {
			return -1
		}
		return next
	case protoMap:
		return p.mapAt(n, s, at, end)
	case protoArray:
		return p.arrayAt(s, at, end)
	}
	return -1
}
