package event

import (
	"unicode/utf8"

	"rosenblatt/stream/avro"
	"rosenblatt/stream/protobuf"
)

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
	//mutation:protobuf-packed-tag
	packed = s.of.Packs() && tag == s.tag&^7|uint64(protobuf.Sized)
	return i + s.tagSize, packed, packed || tag == s.tag
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
	case !x.finite(), p.envelope != nil && x.isUnavailable():
		return false
	//mutation:unlogged-protobuf-plan
	case p.envelope != nil && n == 0 && x.kind == numberScalar && x.v == float64(unavailable[0]):
		return false // all of the array may stand for one that the database did not log
	case x.kind == textScalar || s.key.kind == wordKind:
		return p.wordAt(s.key, x)
	}
	return p.elementAt(s.key, &s.list, n, x.v)
}
