package event

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"unicode/utf8"

	"rosenblatt/stream/avro"
)

// read reads a value that is neither an object nor an array.
func (p *avroParser) read(t *avro.Type, i int, x *scalar) (next int) {
	x.clock, x.brief = t.Clock, false
	switch t.Kind {
	case avro.Null:
		x.kind = nullScalar
		return i
	case avro.Boolean:
		if !p.left(i, 1) {
			return -1
		}
		x.kind, x.truth = truthScalar, p.value[i] == 1 // as Java and the library read it
		return i + 1
	case avro.Int, avro.Long:
		n, next := p.integer(i, widthOf(t))
		if x.setInt(n); t.Divisor > 1 {
			p.divide(x, t.Divisor)
		}
		return next
	case avro.Float:
		if !p.left(i, 4) {
			return -1
		}
		x.setFloat(float64(math.Float32frombits(binary.LittleEndian.Uint32(p.value[i:]))))
		return i + 4
	case avro.Double:
		if !p.left(i, 8) {
			return -1
		}
		x.setFloat(math.Float64frombits(binary.LittleEndian.Uint64(p.value[i:])))
		return i + 8
	case avro.Decimal:
		from, end := p.sized(t, i)
		if end >= 0 {
			x.setFloat(p.decimal(p.value[from:end], int64(t.Scale)))
		}
		return end
	case avro.Scaled:
		return p.scaled(t, i, x)
	}
	return p.readText(t, i, x)
}

// readText reads a value that is a string in JSON.
func (p *avroParser) readText(t *avro.Type, i int, x *scalar) (next int) {
	x.kind = textScalar
	switch t.Kind {
	case avro.Enum:
		var n int64
		at := i
		if n, next = p.integer(i, 32); next < 0 {
			return -1
		}
		//mutation:avro-symbol
		if n < 0 || n >= int64(len(t.Symbols)) {
			return p.stop(Syntax, at, "symbol %d of %d of %s; is the event written with another schema?", n,
				len(t.Symbols), t.Name)
		}
		x.text = t.Symbols[n]
	case avro.UUID:
		if !p.left(i, 16) {
			return -1
		}
		p.token, x.brief = appendUUID(p.token[:0], p.value[i:i+16]), true
		x.text, next = p.token, i+16
	default:
		x.text, next = p.text(i)
	}
	return next
}

// appendUUID appends sixteen bytes as the text of a UUID.
func appendUUID(dst, b []byte) []byte {
	for i, n := range [...]int{4, 2, 2, 2, 6} {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, b[:n])
		b = b[n:]
	}
	return dst
}

// text reads a string, which is UTF-8 unless it is ignored.
func (p *avroParser) text(i int) (text []byte, next int) {
	from, end := p.run(i)
	if end < 0 {
		return nil, -1
	}
	text = p.value[from:end]
	if !p.ignored && !utf8.Valid(text) {
		at := from + invalid(text)
		return nil, p.stop(Encoding, at, "%v is not UTF-8", quoted(p.value[at:min(at+utf8.UTFMax, end)]))
	}
	return text, end
}

// run reads the length of a string or of bytes, and returns where they begin and end.
func (p *avroParser) run(i int) (from, end int) {
	n, from := p.integer(i, 64)
	if from < 0 {
		return 0, -1
	}
	//mutation:avro-length
	if n < 0 || n > int64(len(p.value)-from) {
		return 0, p.stop(Syntax, i, "a length of %d bytes, but %d are left; is the event truncated?", n,
			len(p.value)-from)
	}
	return from, from + int(n)
}

// sized returns where the bytes of a type begin and end: of a fixed, else behind their length.
func (p *avroParser) sized(t *avro.Type, i int) (from, end int) {
	if t.Size < 0 {
		return p.run(i)
	}
	if !p.left(i, t.Size) {
		return 0, -1
	}
	return i, i + t.Size
}

// left checks that so many bytes follow.
func (p *avroParser) left(i, n int) bool {
	if n <= len(p.value)-i {
		return true
	}
	p.stop(Syntax, i, "%d bytes are expected, but %d are left; is the event truncated?", n, len(p.value)-i)
	return false
}

func widthOf(t *avro.Type) int {
	if t.Kind == avro.Int {
		return 32
	}
	return 64
}

// integer reads a number of up to so many bits, zigzag in groups of seven.
func (p *avroParser) integer(i, bits int) (n int64, next int) {
	if i < len(p.value) && p.value[i] < 0x80 {
		u := uint64(p.value[i])
		return int64(u>>1) ^ -int64(u&1), i + 1
	}
	var u uint64
	for at, shift := i, 0; shift < bits; at, shift = at+1, shift+7 {
		if at >= len(p.value) {
			return 0, p.stop(Syntax, i, "a number is not complete; is the event truncated?")
		}
		c := p.value[at]
		if shift+7 > bits && c >= 1<<(bits-shift) {
			break
		}
		if u |= uint64(c&0x7f) << shift; c < 0x80 {
			return int64(u>>1) ^ -int64(u&1), at + 1
		}
	}
	return 0, p.stop(Syntax, i, "a number of more than %d bits; is the event written with another schema?", bits)
}
