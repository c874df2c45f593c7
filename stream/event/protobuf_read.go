package event

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"

	"rosenblatt/stream/avro"
	"rosenblatt/stream/internal/number"
	"rosenblatt/stream/protobuf"
)

// read reads a value that is neither an object nor an array.
func (p *protobufParser) read(v protoValue, x *scalar) {
	x.clock, x.brief = avro.NoClock, false
	f := v.field
	switch {
	case v.shape == nullShape:
		x.kind = nullScalar
		return
	case f.Kind == protobuf.Nested:
		p.readMessage(f.Message, v.head, x)
		return
	case v.head < 0:
		p.readDefault(f, x)
		return
	}
	s := p.stretches[v.head]
	if f.Kind == protobuf.String {
		x.kind, x.text = textScalar, p.value[s.from:s.to]
		return
	}
	p.readNumber(f, s.from, s.to, x)
}

// readDefault reads a value that is not written.
func (p *protobufParser) readDefault(f *protobuf.Field, x *scalar) {
	switch f.Kind {
	case protobuf.Bool:
		x.kind, x.truth = truthScalar, false
	case protobuf.Enum:
		x.kind, x.text = textScalar, f.Enum.First
	case protobuf.String:
		x.kind, x.text = textScalar, noText
	default:
		x.setInt(0)
	}
}

// noText is one without a byte that is no nil.
var noText = []byte{}

// readNumber reads a number, a truth or an enum.
func (p *protobufParser) readNumber(f *protobuf.Field, from, to int, x *scalar) {
	b := p.value[from:to]
	switch f.Kind {
	case protobuf.Double:
		x.setFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)))
		return
	case protobuf.Float:
		x.setFloat(float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
		return
	case protobuf.Fixed64:
		x.setUint(binary.LittleEndian.Uint64(b))
		return
	case protobuf.Sfixed64:
		x.setInt(int64(binary.LittleEndian.Uint64(b)))
		return
	case protobuf.Fixed32:
		x.setInt(int64(binary.LittleEndian.Uint32(b)))
		return
	case protobuf.Sfixed32:
		x.setInt(int64(int32(binary.LittleEndian.Uint32(b))))
		return
	}
	u, _ := p.varint(from, to)
	switch f.Kind {
	case protobuf.Int:
		x.setInt(int64(u))
	case protobuf.Int32:
		x.setInt(int64(int32(u)))
	case protobuf.Uint:
		x.setUint(u)
	case protobuf.Uint32:
		x.setInt(int64(uint32(u)))
	case protobuf.Sint:
		x.setInt(int64(u>>1) ^ -int64(u&1))
	case protobuf.Sint32:
		u = uint64(uint32(u))
		x.setInt(int64(u>>1) ^ -int64(u&1))
	case protobuf.Bool:
		x.kind, x.truth = truthScalar, u != 0
	default:
		p.readEnum(f.Enum, int32(u), x)
	}
}

func (p *protobufParser) readEnum(e *protobuf.EnumType, n int32, x *scalar) {
	x.kind = textScalar
	if x.text = e.Names[n]; x.text == nil {
		p.token = strconv.AppendInt(p.token[:0], int64(n), 10)
		x.text, x.brief = p.token, true
	}
}

// readMessage reads a message that is one value in JSON.
func (p *protobufParser) readMessage(m *protobuf.Message, head int, x *scalar) {
	stretches := len(p.stretches)
	at := p.scan(m, head)
	within := func(number int32) protoValue {
		place := m.Place(number)
		return protoValue{scalarShape, &m.Fields[place], p.heads[at+place].head}
	}
	switch m.Meaning {
	case protobuf.Wrapper:
		p.read(within(1), x)
	case protobuf.Decimal:
		var scale scalar
		var unscaled []byte
		p.read(within(3), &scale)
		if b := within(1); b.head >= 0 {
			unscaled = p.value[p.stretches[b.head].from:p.stretches[b.head].to]
		}
		x.setFloat(p.decimal(unscaled, scale.i))
	default:
		var seconds, nanos scalar
		p.read(within(1), &seconds)
		p.read(within(2), &nanos)
		if p.milliseconds(seconds.i, nanos.i, x); m.Meaning == protobuf.Timestamp {
			x.clock = avro.Moment
		}
	}
	p.heads, p.stretches = p.heads[:at], p.stretches[:stretches]
}

// milliseconds makes seconds and nanoseconds the nearest number of milliseconds.
func (p *protobufParser) milliseconds(seconds, nanos int64, x *scalar) {
	const most = math.MaxInt64/1_000_000_000 - 3 // nanos are of 32 bits
	switch {
	case nanos%1_000_000 == 0 && seconds > -most*1_000_000 && seconds < most*1_000_000:
		x.setInt(seconds*1000 + nanos/1_000_000)
		return
	case seconds >= -most && seconds <= most:
		x.setInt(seconds*1_000_000_000 + nanos)
		p.divide(x, 1e6)
		return
	}
	negative := seconds < 0
	hi, lo := bits.Mul64(uint64(max(seconds, -seconds)), 1_000_000_000) // the least one is its own opposite
	if negative {
		nanos = -nanos
	}
	var carry uint64
	lo, carry = bits.Add64(lo, uint64(nanos), 0)
	hi += carry + uint64(nanos>>63)
	if p.token = p.token[:0]; negative {
		p.token = append(p.token, '-')
	}
	p.token = append(appendWide(p.token, hi, lo), "e-6"...)
	v, _ := number.JSON(p.token, 0)
	x.setFloat(v)
}

// keyText appends the key of an entry of a map, of which the fields are at places.
func (p *protobufParser) keyText(dst []byte, entry *protobuf.Message, places int) []byte {
	place := entry.Place(1)
	var x scalar
	p.read(protoValue{scalarShape, &entry.Fields[place], p.heads[places+place].head}, &x)
	if x.kind == textScalar {
		return append(dst, x.text...)
	}
	return x.appendToken(dst)
}
