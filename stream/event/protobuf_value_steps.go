package event

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"rosenblatt/stream/avro"
	"rosenblatt/stream/protobuf"
)

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
	if p.envelope != nil && x.isUnavailable() {
		p.plan.list, p.moved = 0, true
		return next
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
