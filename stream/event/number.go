package event

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"unsafe"
)

// number reads the JSON number at b[i] (RFC 8259, section 6). It returns its float64 value, the same bits as strconv.ParseFloat,
// and the offset behind it; next is -1 when there is no number. A number too large for float64 gives an infinity.
func number(b []byte, i int) (v float64, next int) {
	start, minus := i, 0
	if i < len(b) && b[i] == '-' {
		minus = 1
	}
	i += minus
	first := i
	var m uint64
	for i < len(b) && b[i]-'0' <= 9 { // mostly one or two digits: not worth a call of digits
		m = m*10 + uint64(b[i]-'0')
		i++
	}
	count := i - first
	if count == 0 || count > 1 && b[first] == '0' {
		return 0, -1
	}
	exp := 0
	if i < len(b) && b[i] == '.' {
		point := i + 1
		m, i = digits(b, point, m)
		if i == point {
			return 0, -1
		}
		exp = point - i
		count -= exp
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		var e int
		if e, i = exponent(b, i); i < 0 {
			return 0, -1
		}
		exp += e
	}
	if scale := uint(-exp); count <= 19 && m < 1<<53 && scale < uint(len(powers)) { // convert's first case, which most numbers are
		v = float64(int64(m)) / powers[scale]
		return math.Float64frombits(math.Float64bits(v) | uint64(minus)<<63), i
	}
	return convert(m, count, exp, b[start:i]), i
}

// digits reads the run of decimal digits at b[i] and returns m with them appended, and where they end. Beyond 19 digits
// in all m is meaningless.
func digits(b []byte, i int, m uint64) (uint64, int) {
	for i+8 <= len(b) {
		x, n := leading(binary.LittleEndian.Uint64(b[i:]))
		m = m*wholePowers[n] + eight(x)
		i += n
		if n < 8 {
			return m, i
		}
	}
	for i < len(b) && b[i]-'0' <= 9 {
		m = m*10 + uint64(b[i]-'0')
		i++
	}
	return m, i
}

// zeros are eight digits 0.
const zeros = 0x3030303030303030

// leading counts the digits at the start of the eight bytes of x, which is the low end, and moves their values to the other end.
func leading(x uint64) (values uint64, n int) {
	x ^= zeros // a digit becomes its value
	y := (x + 0x0606060606060606 | x) & 0xf0f0f0f0f0f0f0f0
	n = bits.OnesCount64((y-1)&^y) >> 3 // the zeros at the end of y, quicker than TrailingZeros64 where 0 is to be 64
	return x << (64 - 8*n), n
}

// eight makes a number of the eight bytes of x, each a digit's value, the lowest first in writing: pairs, then fours,
// then all eight by one multiplication each.
func eight(x uint64) uint64 {
	const mask = 0x000000ff000000ff
	x = x*10 + x>>8
	return (x&mask*(100+1000000<<32) + x>>16&mask*(1+10000<<32)) >> 32
}

// exponent reads the exponent at b[i], its e included. Beyond a million it stays there: the value is 0 or infinite by then
// unless the digits are as many, and then they are read by strconv.
func exponent(b []byte, i int) (e, next int) {
	i++
	negative := false
	if i < len(b) && (b[i] == '+' || b[i] == '-') {
		negative = b[i] == '-'
		i++
	}
	first := i
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		e = min(e*10+int(b[i]-'0'), 1e6)
	}
	if i == first {
		return 0, -1
	}
	if negative {
		e = -e
	}
	return e, i
}

// convert makes a float64 of m·10^exp, m having been read from count digits. Raw is the whole number as it was written.
//
// Up to 2^53 m is exact, and so is 10^exp up to 22: then one rounded operation gives the nearest float64 (W. D. Clinger,
// "How to read floating point numbers accurately", PLDI 1990). Longer fractions, the usual 17 digits of a printed
// float64 among them, are divided in integers. The rest is for strconv.
func convert(m uint64, count, exp int, raw []byte) float64 {
	var v float64
	switch {
	case count > 19:
		return parseFloat(raw)
	case m < 1<<53 && exp >= -22 && exp <= 22:
		v = float64(int64(m))
		if exp < 0 {
			v /= powers[-exp]
		} else {
			v *= powers[exp]
		}
	case exp < 0 && exp >= -19: // here m is not 0
		v = quotient(m, wholePowers[-exp])
	default:
		return parseFloat(raw)
	}
	if raw[0] == '-' {
		v = -v
	}
	return v
}

// quotient gives the float64 nearest to m/n, ties to even; neither is 0. Both are shifted to the top, the quotient is
// taken to 64 bits, and what is left of the division only decides ties.
func quotient(m, n uint64) float64 {
	shiftM, shiftN := bits.LeadingZeros64(m), bits.LeadingZeros64(n)
	m <<= shiftM
	q, rest := bits.Div64(m>>1, m<<63, n<<shiftN) // 2^62 < q: m and n differ by a factor below 2
	lead := bits.LeadingZeros64(q)
	q <<= lead
	f, low := q>>11, q&0x7ff
	if low > 0x400 || low == 0x400 && (rest != 0 || f&1 == 1) {
		f++
	}
	// The exponent lies between -127 and 13: far from the bounds of float64, so this product is exact.
	power := math.Float64frombits(uint64(1023+11-63-lead+shiftN-shiftM) << 52)
	return float64(int64(f)) * power
}

// parseFloat is strconv's. Raw is a number by our grammar, so the only error is that of the range, told by an infinity.
func parseFloat(raw []byte) float64 {
	v, _ := strconv.ParseFloat(unsafe.String(unsafe.SliceData(raw), len(raw)), 64)
	return v
}

// powers are the powers of ten that float64 holds exactly.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
	1e18, 1e19, 1e20, 1e21, 1e22}

// wholePowers are the powers of ten that uint64 holds.
var wholePowers = [...]uint64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
	1e18, 1e19}
