package number

import (
	"math"
	"math/bits"
	"strconv"
	"unsafe"
)

// convert returns the float64 nearest to m·10^exp, where m was read from count digits. raw is the number as written.
//
// Up to 2^53, m is exact, and so is 10^exp up to 22: one rounded operation then yields the nearest float64 (W. D.
// Clinger, "How to read floating point numbers accurately", PLDI 1990). Longer fractions, such as the 17 digits of
// most printed float64 values, are divided in integers. The rest is left to strconv.
func convert(m uint64, count, exp int, raw []byte) float64 {
	var v float64
	switch {
	case count > 19:
		return parseFloat(raw)
	case m < 1<<53 && exp >= -22 && exp <= 22:
		v = float64(int64(m))
		if exp < 0 {
			v /= floatPowers[-exp]
		} else {
			v *= floatPowers[exp]
		}
	case exp < 0 && exp >= -19: // m is not 0 here
		v = quotient(m, powers[-exp])
	default:
		return parseFloat(raw)
	}
	if raw[0] == '-' {
		v = -v
	}
	return v
}

// quotient returns the float64 nearest to m/n, ties to even. Neither is 0. Both are shifted to the top, and the
// quotient has 64 bits; the remainder only decides ties.
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
	// The exponent is between -127 and 13, far from the bounds of float64, so this product is exact.
	power := math.Float64frombits(uint64(1023+11-63-lead+shiftN-shiftM) << 52)
	return float64(int64(f)) * power
}

// parseFloat is strconv.ParseFloat. raw is a valid number, so the only possible error is that of the range, where the
// value is an infinity.
func parseFloat(raw []byte) float64 {
	v, _ := strconv.ParseFloat(unsafe.String(unsafe.SliceData(raw), len(raw)), 64)
	return v
}
