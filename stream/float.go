package stream

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// appendFloat appends v with as few digits as read back as v, the nearest to v of such: the bytes of strconv.AppendFloat(dst, v, 'g', -1, 64).
// Scores and probabilities lie mostly between 0.0001 and a million, where whole numbers of 128 bits do it exactly, in a third of
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

// appendPoint appends d/10^n without zeros at the end; it is below a million and at least 0.0001, and d below 10^17. Eight digits
// are written at a time, where they belong: what lies behind the last one is written over by what follows.
func appendPoint(dst []byte, d uint64, n int) []byte {
	for n > 0 && d%10 == 0 {
		d, n = d/10, n-1
	}
	const most = 8 + 1 + 3*8
	dst = slices.Grow(dst, most)
	b := dst[len(dst) : len(dst)+most]
	whole := d / powersOfTen[n]
	d -= whole * powersOfTen[n]
	i := 1
	if whole < 10 {
		b[0] = '0' + byte(whole)
	} else {
		text := eightDigits(whole)
		zeros := bits.TrailingZeros64(text^0x3030303030303030) &^ 7
		binary.LittleEndian.PutUint64(b, text>>zeros)
		i = 8 - zeros/8
	}
	if n > 0 {
		b[i] = '.'
		i++
		if more := n - 16; more > 0 {
			binary.LittleEndian.PutUint64(b[i+16:], eightDigits(d%powersOfTen[more]*powersOfTen[8-more]))
			d /= powersOfTen[more]
		} else {
			d *= powersOfTen[-more]
		}
		binary.LittleEndian.PutUint64(b[i:], eightDigits(d/1e8))
		binary.LittleEndian.PutUint64(b[i+8:], eightDigits(d%1e8))
	}
	return dst[:len(dst)+i+n]
}

// eightDigits spells x, below 10^8, the first digit in the lowest byte: halves of four digits, then pairs, then digits, each by one
// multiplication for all (P. Khuong, "How to print integers really fast", 2017).
func eightDigits(x uint64) uint64 {
	halves := x%10000<<32 | x/10000
	hundreds := halves * 10486 >> 20 & 0x7f0000007f // over 100
	pairs := (halves-100*hundreds)<<16 | hundreds
	tens := pairs * 103 >> 10 & 0x000f000f000f000f // over 10
	return (pairs-10*tens)<<8 | tens | 0x3030303030303030
}

// powersOfTen are the powers of ten that uint64 holds, and behind them its largest number, which no d reaches, for 10^20.
var powersOfTen = [...]uint64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
	math.MaxUint64}
