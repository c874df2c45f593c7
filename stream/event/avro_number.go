package event

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strconv"

	"rosenblatt/stream/avro"
	"rosenblatt/stream/internal/number"
)

// exact is up to where each integer is a float64.
const exact = 1 << 53

// divide divides an integer by a power of ten: the result is the number nearest to the quotient.
func (s *sink) divide(x *scalar, divisor int64) {
	n := x.i
	if n%divisor == 0 {
		x.setInt(n / divisor)
		return
	}
	if n > -exact && n < exact {
		x.setFloat(float64(n) / float64(divisor))
		return
	}
	s.token = number.AppendInt(s.token[:0], n)
	zeros := 3
	if divisor == 1e6 {
		zeros = 6
	}
	s.token = slices.Insert(s.token, len(s.token)-zeros, '.')
	v, _ := number.JSON(s.token, 0)
	x.setFloat(v)
}

// scaled reads a number of which the record has the scale and the value.
func (p *avroParser) scaled(t *avro.Type, i int, x *scalar) (next int) {
	var scale int64
	var value []byte
	for n := range t.Fields {
		if t.Fields[n].Type.Kind == avro.Int {
			scale, i = p.integer(i, 32)
		} else {
			var from int
			if from, i = p.run(i); i >= 0 {
				value = p.value[from:i]
			}
		}
		if i < 0 {
			return -1
		}
	}
	x.setFloat(p.decimal(value, scale))
	return i
}

// decimal returns the number nearest to n·10^-scale, where b is n as a number of two's complement, its highest byte
// first. A number over all float64s becomes the largest one.
func (s *sink) decimal(b []byte, scale int64) float64 {
	for len(b) > 1 && (b[0] == 0 && b[1] < 0x80 || b[0] == 0xff && b[1] >= 0x80) {
		b = b[1:] // it repeats the sign
	}
	if n, ok := int64Of(b); ok {
		if n > -exact && n < exact && scale >= 0 && scale < int64(len(tens)) {
			return float64(n) / tens[scale]
		}
		s.token = number.AppendInt(s.token[:0], n)
	} else {
		s.token = appendInteger(s.token[:0], b)
	}
	s.token = strconv.AppendInt(append(s.token, 'e'), -scale, 10)
	v, _ := number.JSON(s.token, 0)
	return min(max(v, -math.MaxFloat64), math.MaxFloat64)
}

// tens are the powers of ten that are float64s.
var tens = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// int64Of returns a number of two's complement that has at most eight bytes.
func int64Of(b []byte) (n int64, ok bool) {
	if len(b) == 0 {
		return 0, true
	}
	n = int64(int8(b[0]))
	if len(b) > 8 {
		return 0, false
	}
	for _, c := range b[1:] {
		n = n<<8 | int64(c)
	}
	return n, true
}

// appendInteger appends a number of two's complement in decimal.
func appendInteger(dst, b []byte) []byte {
	if len(b) > 16 {
		n := new(big.Int).SetBytes(b)
		if b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
		return n.Append(dst, 10)
	}
	var hi, lo uint64
	if b[0] >= 0x80 {
		hi, lo = math.MaxUint64, math.MaxUint64
	}
	for _, c := range b {
		hi, lo = hi<<8|lo>>56, lo<<8|uint64(c)
	}
	if b[0] >= 0x80 {
		dst = append(dst, '-')
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	return appendWide(dst, hi, lo)
}

// appendWide appends hi·2^64 + lo in decimal.
func appendWide(dst []byte, hi, lo uint64) []byte {
	const most = 1e19 // the highest power of ten in 64 bits
	if hi == 0 {
		return strconv.AppendUint(dst, lo, 10)
	}
	top, rest := hi/most, hi%most
	middle, low := bits.Div64(rest, lo, most)
	dst = appendWide(dst, top, middle)
	from := len(dst)
	dst = strconv.AppendUint(dst, low, 10)
	for len(dst)-from < 19 {
		dst = slices.Insert(dst, from, '0')
	}
	return dst
}
