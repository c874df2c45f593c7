package number

import (
	"math"
	"math/bits"
	"strconv"
	"unsafe"
)

// quotient is the largest power of ten that At divides by. Most doubles that are printed with all their digits have
// more digits after the point, so the branch is predictable.
const quotient = 13

// divisors are powers of ten, and their negatives from 16 on.
var divisors = func() (d [32]float64) {
	for n := range 16 {
		d[n], d[16+n] = float64(powers[n]), -float64(powers[n])
	}
	return d
}()

// Quotient returns m/10^n, negative if minus is 1. m is below 2^53 and n at most 15, so both are exact, and one rounded
// operation yields the nearest float64 (W. D. Clinger, "How to read floating point numbers accurately", PLDI 1990).
// m/-10^n has the bits of -(m/10^n), for m = 0 too.
func Quotient(m uint64, n, minus int) float64 { return float64(int64(m)) / divisors[(minus<<4|n)&31] }

// The float64 nearest to m·10^e, ties to even, is float of round of product. m is not 0 and 10^e is in wide. It
// follows D. Lemire, "Number parsing at a gigabyte per second" (2021), with the proof by N. Mushtak and D. Lemire,
// "Fast number parsing without fallback" (2022), that 128 bits of the power always suffice. These are three functions
// so that they are inlined.

// product returns the first 128 bits of m·10^e, as exactly as round needs them.
func product(m uint64, e int) (hi, lo uint64) {
	m <<= -bits.Len64(m) & 63
	power := &wide[uint8(e)]
	hi, lo = bits.Mul64(m, power.hi)
	if (hi+1)&0x1ff == 0 { // the lower half of the power may carry into the bits that count
		more, _ := bits.Mul64(m, power.lo)
		var carry uint64
		lo, carry = bits.Add64(lo, more, 0)
		hi += carry
	}
	return hi, lo
}

// round rounds a product to 53 bits. top is its highest bit.
func round(hi, lo uint64, e int) (f uint64, top int) {
	top = int(hi >> 63)
	f = hi >> ((top + 9) & 63) // 53 bits and one to round by
	if lo <= 1 && tie(hi, f, e, top) {
		f-- // the even neighbour is below
	}
	return (f + f&1) >> 1, top
}

// float returns the value whose 53 bits are f, the rounded product of m and 10^e; f may be 2^53. It is negative if
// minus is 1.
func float(f uint64, top int, m uint64, e, minus int) float64 {
	exponent := (217706*e+1021<<16)>>16 + bits.Len64(m) + top + minus<<11
	return math.Float64frombits(uint64(exponent)<<52 + f)
}

// tie reports whether f, of which the last bit rounds, is half-way between two values, and the lower one is even. With
// other exponents m would need more bits for a tie.
func tie(hi, f uint64, e, top int) bool { return f&3 == 1 && e >= -4 && e <= 23 && f<<(top+9) == hi }

// parseFloat is strconv.ParseFloat. raw is a valid number, so the only possible error is that of the range, where the
// value is an infinity.
func parseFloat(raw []byte) float64 {
	v, _ := strconv.ParseFloat(unsafe.String(unsafe.SliceData(raw), len(raw)), 64)
	return v
}
