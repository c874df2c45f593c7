package event

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"rosenblatt/stream/avro"
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
				if i = p.unknownField(i, end); i < 0 {
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

// tagAt returns the offset behind the tag of a value of the field, 0 if it is not at offset i.
func (s *protoStep) tagAt(b []byte, i int) (next int) {
	switch {
	case s.tagSize == 1 && i < len(b) && b[i] == byte(s.tag):
		return i + 1
	case s.tagSize == 2 && i+1 < len(b) && b[i] == byte(s.tag)|0x80 && b[i+1] == byte(s.tag>>7):
		return i + 2
	}
	return 0
}

// find returns the place of the field whose tag is at offset i, and the offset behind the tag.
func (n *protoNode) find(b []byte, i int) (place, next int, ok bool) {
	tag, next := uint64(b[i]), i+1
	if tag >= 0x80 {
		if next >= len(b) || b[next] >= 0x80 {
			return 0, 0, false
		}
		tag, next = tag&0x7f|uint64(b[next])<<7, next+1
	}
	if tag >= uint64(len(n.tags)) || n.tags[tag] == 0 {
		return 0, 0, false
	}
	return int(n.tags[tag] - 1), next, true
}

// unknownField passes over a field that the schema has not, or not with its type.
func (p *protobufParser) unknownField(i, end int) int {
	number, wire, next := p.tag(i, end)
	if next < 0 || p.plan.far {
		return -1
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
			if i = p.unknownField(i, end); i < 0 {
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
		wire := s.of.Wire
		if next != i+s.tagSize || p.value[i]&7 != byte(wire) {
			wire = protobuf.Sized
		}
		if _, _, i = p.extent(s.of.Number, wire, next, end); i < 0 {
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
	//mutation:protobuf-plan-features
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
		from, to := p.run(at, end)
		if to < 0 || !p.message(s.node, from, to) {
			return -1
		}
		return to
	case protoMap:
		return p.mapAt(n, s, at, end)
	case protoArray:
		return p.arrayAt(s, at, end)
	}
	return -1
}

// numberAt takes a number that is just a feature.
func (p *protobufParser) numberAt(s *protoStep, at, end int) int {
	from, to, next := p.extent(s.of.Number, s.of.Wire, at, end)
	if next < 0 {
		return -1
	}
	f := s.feature
	f.Value = p.numberOf(s.of.Kind, from, to)
	if !(f.Value >= -limit && f.Value <= limit) {
		return -1
	}
	p.arena = append(p.arena, f)
	return next
}

// numberOf is readNumber for what is just a number.
func (p *protobufParser) numberOf(k protobuf.Kind, from, to int) float64 {
	b := p.value[from:to]
	switch k {
	case protobuf.Double:
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case protobuf.Float:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case protobuf.Fixed64:
		return float64(binary.LittleEndian.Uint64(b))
	case protobuf.Sfixed64:
		return float64(int64(binary.LittleEndian.Uint64(b)))
	case protobuf.Fixed32:
		return float64(binary.LittleEndian.Uint32(b))
	case protobuf.Sfixed32:
		return float64(int32(binary.LittleEndian.Uint32(b)))
	}
	u := uint64(b[0] & 0x7f)
	for i := 1; i < len(b); i++ {
		u |= uint64(b[i]&0x7f) << (7 * i)
	}
	switch k {
	case protobuf.Int:
		return float64(int64(u))
	case protobuf.Int32:
		return float64(int32(u))
	case protobuf.Uint32:
		return float64(uint32(u))
	case protobuf.Sint:
		return float64(int64(u>>1) ^ -int64(u&1))
	case protobuf.Sint32:
		u = uint64(uint32(u))
		return float64(int64(u>>1) ^ -int64(u&1))
	}
	return float64(u)
}

// takeField takes a value that is neither an object nor an array.
func (p *protobufParser) takeField(n *protoNode, s *protoStep, at, end int) int {
	f, x := s.of, &p.current
	x.clock, x.brief = avro.NoClock, false
	from, to, next := p.extent(f.Number, f.Wire, at, end)
	switch {
	case next < 0, f.Kind == protobuf.Nested && !p.isGood(n, f, at, end):
		return -1
	case f.Kind == protobuf.Nested:
		p.stretches, p.heads = p.stretches[:0], p.heads[:0]
		v := p.valueAt(f, p.stretch(from, to), true)
		if v.shape > nullShape {
			return -1
		}
		if p.read(v, x); x.kind == nullScalar {
			p.plan.list, p.moved = 0, true
		}
	case f.Kind == protobuf.String:
		if from == to && !f.Presence {
			return next
		}
		x.kind, x.text = textScalar, p.value[from:to]
	default:
		p.readNumber(f, from, to, x)
	}
	if !p.takeAt(at, s.key) {
		return -1
	}
	return next
}

// skipField checks a value that is not used.
func (p *protobufParser) skipField(n *protoNode, s *protoStep, at, end int) int {
	f := s.of
	if f.Repeated && !f.Absent {
		return -1
	}
	from, to, next := p.extent(f.Number, f.Wire, at, end)
	switch {
	case next < 0, f.Kind == protobuf.Nested && !p.isGood(n, f, at, end):
		return -1
	case f.Kind == protobuf.String && s.key.role != ignoreRole && !utf8.Valid(p.value[from:to]):
		return -1
	}
	return next
}

// isGood reports whether a message within another one is well formed, and each of its texts is UTF-8.
func (p *protobufParser) isGood(n *protoNode, f *protobuf.Field, at, end int) bool {
	p.around, p.depth, p.nested, p.wary, p.tooDeep = p.around[:0], n.depth, 0, false, -1
	p.absent, p.strict = false, true
	next := p.checkField(n.of, f, at, end)
	p.strict = false
	return next >= 0 && p.tooDeep < 0
}

// occurrence finds the next value of a repeated field behind another one, which ends at i. Other fields may follow
// them, and not be between them.
func (p *protobufParser) occurrence(s *protoStep, i, end int) (at int, packed, ok bool) {
	if i+s.tagSize > end {
		return 0, false, false
	}
	tag := uint64(p.value[i])
	if s.tagSize == 2 {
		tag = tag&0x7f | uint64(p.value[i+1])<<7
	}
	return i + s.tagSize, tag != s.tag, tag&^7 == s.tag&^7
}

// arrayAt takes an array of numbers or of texts.
func (p *protobufParser) arrayAt(s *protoStep, at, end int) int {
	n := 0
	i := at - s.tagSize
	for {
		at, packed, ok := p.occurrence(s, i, end)
		if !ok {
			break
		}
		wire := s.of.Wire
		if packed {
			wire = protobuf.Sized
		}
		from, to, next := p.extent(s.of.Number, wire, at, end)
		if next < 0 {
			return -1
		}
		for i = next; from < to || !packed; n++ {
			stop := to
			if packed {
				if _, _, stop = p.extent(s.of.Number, s.of.Wire, from, to); stop < 0 {
					return -1
				}
			}
			if !p.elementOf(s, n, from, stop) {
				return -1
			}
			if from = stop; !packed {
				n++
				break
			}
		}
	}
	if n != s.last {
		s.last, p.plan.list, p.moved = n, 0, true
	}
	return i
}

// lastOf reports whether a repeated field has no value from offset i on.
func (p *protobufParser) lastOf(s *protoStep, i, end int) bool {
	for i < end {
		number, wire, next := p.tag(i, end)
		if next < 0 || number == s.of.Number {
			return false
		}
		if _, _, i = p.extent(number, wire, next, end); i < 0 {
			return false
		}
	}
	return true
}

// elementOf takes element n of an array.
func (p *protobufParser) elementOf(s *protoStep, n, from, to int) bool {
	x := &p.current
	x.clock, x.brief = avro.NoClock, false
	if s.of.Kind == protobuf.String {
		if x.kind, x.text = textScalar, p.value[from:to]; !utf8.Valid(x.text) {
			return false
		}
	} else {
		p.readNumber(s.of, from, to, x)
	}
	switch {
	case !x.finite():
		return false
	case x.kind == textScalar || s.key.kind == wordKind:
		return p.wordAt(s.key, x)
	}
	return p.elementAt(s.key, &s.list, n, x.v)
}
