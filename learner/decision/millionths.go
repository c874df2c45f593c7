package decision

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Millionths is a probability in millionths, 1 to 999,999: what is published of one, and counted. The zero value is
// none.
type Millionths uint32

// million is a probability of 1.
const million = 1_000_000

// MillionthsOf rounds a probability.
func MillionthsOf(p float64) Millionths {
	return Millionths(min(max(float64(p*million)+0.5, 1), million-1))
}

// Float returns the float64 next to it: the one that its decimals are read as.
func (m Millionths) Float() float64 { return float64(m) / million }

// Rest is the probability of the other label.
func (m Millionths) Rest() Millionths { return million - m }

// Valid reports whether it is a probability.
func (m Millionths) Valid() bool { return m > 0 && m < million }

// Append appends its decimals without trailing zeros, as in 0.000001 and 0.25.
func (m Millionths) Append(dst []byte) []byte {
	const most = 2 + 8
	dst = slices.Grow(dst, most)
	b, text := dst[len(dst):len(dst)+most], m.digits()
	b[0], b[1] = '0', '.'
	binary.LittleEndian.PutUint64(b[2:], text)
	return dst[:len(dst)+most-bits.LeadingZeros64(text^zeros)/8]
}

// zeros is eight digits 0.
const zeros = 0x3030303030303030

// digits is the text of its six decimals and two zeros: halves of four digits, then pairs, then digits are split with
// one multiplication each (P. Khuong, "How to print integers really fast", 2017).
func (m Millionths) digits() uint64 {
	x := uint64(m) * 100
	halves := x%10000<<32 | x/10000
	hundreds := halves * 10486 >> 20 & 0x7f0000007f // halves / 100
	pairs := (halves-100*hundreds)<<16 | hundreds
	tens := pairs * 103 >> 10 & 0x000f000f000f000f // pairs / 10
	return (pairs-10*tens)<<8 | tens | zeros
}
