package number

import (
	"math"
	"math/bits"
	"strconv"
	"unsafe"
)

// quotient is the largest power of ten that nearest divides by. Most doubles that are printed with all their digits
// have more digits after the point, so the branch is predictable.
const quotient = 13

// nearest returns the float64 nearest to m·10^e, ties to even, negative if minus is 1, and size; or a size of 0 if 10^e
// is not in wide. It follows D. Lemire, "Number parsing at a gigabyte per second" (2021), with the proof by N. Mushtak
// and D. Lemire, "Fast number parsing without fallback" (2022), that 128 bits of the power always suffice.
func nearest(m uint64, e, minus, size int) (v float64, n int) {
	sign := uint64(minus) << 63
	if e <= 0 && e >= -quotient && m < 1<<53 { // both are exact, and so is their quotient: Fraction
		v = float64(int64(m)) / scales[-e].divisor
		return math.Float64frombits(math.Float64bits(v) | sign), size
	}
	if m == 0 {
		return math.Float64frombits(sign), size
	}
	if e < minWide || e > maxWide {
		return 0, 0
	}
	power := &wide[uint8(e-minWide)]
	lead := bits.LeadingZeros64(m) & 63
	hi, lo := bits.Mul64(m<<lead, power.hi)
	if hi&0x1ff == 0x1ff { // the lower half of the power may carry into the bits that count
		more, _ := bits.Mul64(m<<lead, power.lo)
		var carry uint64
		lo, carry = bits.Add64(lo, more, 0)
		hi += carry
	}
	top := int(hi >> 63)
	f := hi >> ((top + 9) & 63) // 53 bits and one to round by
	if lo <= 1 && f&3 == 1 && e >= -4 && e <= 23 && f<<(top+9) == hi {
		f-- // a tie, and the even neighbour is below; with other exponents m would need more bits for a tie
	}
	f = (f + f&1) >> 1
	exponent := 217706*e>>16 + 63 + 1023 - lead + top
	b := uint64(exponent)<<52 + f - 1<<52 // f may be 2^53, which adds one to the exponent
	return math.Float64frombits(b | sign), size
}

// parseFloat is strconv.ParseFloat. raw is a valid number, so the only possible error is that of the range, where the
// value is an infinity.
func parseFloat(raw []byte) float64 {
	v, _ := strconv.ParseFloat(unsafe.String(unsafe.SliceData(raw), len(raw)), 64)
	return v
}
