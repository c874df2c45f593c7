package number

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// Append appends the shortest decimal that reads back as v, the bytes of strconv.AppendFloat(dst, v, 'g', -1, 64).
// Between 0.0001 and a million, where most scores and probabilities are, 128-bit integers suffice for an exact result
// in a third of strconv's time.
func Append(dst []byte, v float64) []byte {
	if size := math.Abs(v); !(size >= 1e-4 && size < 1e6) {
		return strconv.AppendFloat(dst, v, 'g', -1, 64)
	}
	b := math.Float64bits(v)
	fraction, q := b&(1<<52-1), int(b>>52&0x7ff)-1075
	if fraction == 0 { // the next smaller double is nearer than the next larger one
		return strconv.AppendFloat(dst, v, 'g', -1, 64)
	}
	if v < 0 {
		dst = append(dst, '-')
	}
	digits, n := shortest(fraction|1<<52, q)
	return appendPoint(dst, digits, n)
}

// shortest returns the decimal d/10^n for c·2^q: among the decimals that round to it (including the midpoints to its
// neighbours if c is even) the nearest of those with the fewest digits. d may end in zeros. c is between 2^52 and 2^53,
// both excluded, and q is -66 to -33. It follows R. Giulietti, "The Schubfach way to render doubles" (2021), in exact
// arithmetic.
//
// 10^-n is at most 2^q, the distance between the midpoints, and more than a tenth of it. So at least one multiple of
// 10^-n is between them, and at most one multiple of ten times that.
func shortest(c uint64, q int) (d uint64, n int) {
	n = -(q * 1262611 >> 22) // q·log10(2), rounded down
	shift := uint(2 - q - n)
	// In units of 2^-shift, c·2^q·10^n is 4c·5^n, and the midpoints are 2·5^n from it.
	hi, lo := bits.Mul64(4*c, fives[n])
	d = hi<<(64-shift) | lo>>shift
	one := uint64(1) << shift
	rest := lo & (one - 1)
	middle := 2*fives[n] - c&1 // the largest distance that is within the midpoints
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

// appendPoint appends d/10^n without trailing zeros; its value is at least 0.0001 and below a million, and d is below
// 10^17. It writes eight digits at a time; later writes replace the digits in excess.
func appendPoint(dst []byte, d uint64, n int) []byte {
	for n > 0 && d%10 == 0 {
		d, n = d/10, n-1
	}
	const most = 8 + 1 + 3*8
	dst = slices.Grow(dst, most)
	b := dst[len(dst) : len(dst)+most]
	whole := d / powers[n]
	d -= whole * powers[n]
	i := put(b, whole)
	if n > 0 {
		b[i] = '.'
		i++
		if more := n - 16; more > 0 {
			binary.LittleEndian.PutUint64(b[i+16:], split(d%powers[more]*powers[8-more]))
			d /= powers[more]
		} else {
			d *= powers[-more]
		}
		binary.LittleEndian.PutUint64(b[i:], split(d/1e8))
		binary.LittleEndian.PutUint64(b[i+8:], split(d%1e8))
	}
	return dst[:len(dst)+i+n]
}

// AppendInt appends v as a decimal, the bytes of strconv.AppendInt(dst, v, 10).
func AppendInt(dst []byte, v int64) []byte {
	const eight = 1e8
	if v < 0 || v >= eight*eight {
		return strconv.AppendInt(dst, v, 10)
	}
	const most = 8 + 8
	dst = slices.Grow(dst, most)
	b, x := dst[len(dst):len(dst)+most], uint64(v)
	if x < eight {
		return dst[:len(dst)+put(b, x)]
	}
	n := put(b, x/eight)
	binary.LittleEndian.PutUint64(b[n:], split(x%eight))
	return dst[:len(dst)+n+8]
}

// put writes x, below 10^8, and returns the number of its digits. It writes eight bytes.
func put(b []byte, x uint64) int {
	if x < 10 {
		b[0] = '0' + byte(x)
		return 1
	}
	text := split(x)
	lead := bits.TrailingZeros64(text^zeros) &^ 7
	binary.LittleEndian.PutUint64(b, text>>lead)
	return 8 - lead/8
}
