package stream

import (
	"math"
	"math/bits"
	"strconv"
)

// appendFloat appends v with as few digits as read back as v, the nearest to v of such: the bytes of strconv.AppendFloat(dst, v, 'g', -1, 64).
// Scores and probabilities lie mostly between 0.0001 and a million, where whole numbers of 128 bits do it exactly, in half of
// its time.
func appendFloat(dst []byte, v float64) []byte {
	if size := math.Abs(v); !(size >= 1e-4 && size < 1e6) {
		return strconv.AppendFloat(dst, v, 'g', -1, 64)
	}
	b := math.Float64bits(v)
	fraction, q := b&(1<<52-1), int(b>>52&0x7ff)-1075
	if fraction == 0 { // the number below is nearer than the one above
		return strconv.AppendFloat(dst, v, 'g', -1, 64)
	}
	if v < 0 {
		dst = append(dst, '-')
	}
	digits, n := shortest(fraction|1<<52, q)
	return appendPoint(dst, digits, n)
}

// shortest gives the decimal d/10^n for c·2^q: of those between the middles to the doubles around, with these if c is even, one of the
// fewest digits, and of those the nearest; d may end in zeros. c lies between 2^52 and 2^53, without these, q is -66 to -33. It goes
// as R. Giulietti, "The Schubfach way to render doubles" (2021), but exactly.
//
// 10^-n is at most 2^q, the distance of the middles, and more than a tenth of it. So there is a multiple of 10^-n between them, and at
// most one of ten times that.
func shortest(c uint64, q int) (d uint64, n int) {
	n = -(q * 1262611 >> 22) // q·log10(2), rounded down
	shift := uint(2 - q - n)
	// In units of 2^-shift, c·2^q·10^n is 4c·5^n, and the middles are 2·5^n from it.
	hi, lo := bits.Mul64(4*c, fives[n])
	d = hi<<(64-shift) | lo>>shift
	one := uint64(1) << shift
	rest := lo & (one - 1)
	middle := 2*fives[n] - c&1 // distances up to here are between the middles
	tens := d / 10
	below := (d-10*tens)*one + rest
	switch {
	case below <= middle:
		return tens, n - 1
	case 10*one-below <= middle:
		return tens + 1, n - 1
	case rest > one/2, rest == one/2 && d&1 == 1:
		d++
	}
	return d, n
}

// fives are the powers of five up to 5^20.
var fives = func() (f [21]uint64) {
	f[0] = 1
	for n := range 20 {
		f[n+1] = 5 * f[n]
	}
	return f
}()

// appendPoint appends d/10^n without zeros at the end; it is below a million and at least 0.0001.
func appendPoint(dst []byte, d uint64, n int) []byte {
	for n > 0 && d%10 == 0 {
		d, n = d/10, n-1
	}
	var buf [20]byte
	text := strconv.AppendUint(buf[:0], d, 10)
	whole := len(text) - n // digits before the point
	if whole > 0 {
		dst = append(dst, text[:whole]...)
		if n > 0 {
			dst = append(append(dst, '.'), text[whole:]...)
		}
		return dst
	}
	dst = append(dst, "0.0000"[:2-whole]...)
	return append(dst, text...)
}
