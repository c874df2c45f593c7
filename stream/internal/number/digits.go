package number

import (
	"encoding/binary"
	"math/bits"
)

// Zeros is eight digits 0.
const Zeros = 0x3030303030303030

// Leading counts the decimal digits at the low end of x, which is eight bytes of text in little-endian order. It
// returns their values at the high end of values.
func Leading(x uint64) (values uint64, n int) {
	x ^= Zeros // a digit becomes its value
	return leading(x, others(x))
}

// others has a bit above the lowest four set in the byte of each value of x that is over nine. Bytes after the first
// such one may be wrong.
func others(x uint64) uint64 { return (x + 0x0606060606060606 | x) & 0xf0f0f0f0f0f0f0f0 }

func leading(x, y uint64) (values uint64, n int) {
	n = bits.OnesCount64((y-1)&^y) >> 3 // the trailing zeros of y; TrailingZeros64 is slower where 0 has to yield 64
	return x << (64 - 8*n), n
}

// digits reads the run of decimal digits at b[i]. It returns m with these digits appended, modulo 2^64, and the offset
// after them.
func digits(b []byte, i int, m uint64) (uint64, int) {
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:]) ^ Zeros
		if y := others(x); y != 0 {
			values, n := leading(x, y)
			return m*powers[n] + join(values), i + n
		}
		m = m*1e8 + join(x)
	}
	values, n := Leading(lastBytes(b, i))
	return m*powers[n] + join(values), i + n
}

// join returns the number of eight digits whose values are the bytes of x, the first digit in the lowest byte. It joins
// pairs, then fours, then all eight with one multiplication each.
func join(x uint64) uint64 {
	const mask = 0x000000ff000000ff
	x = x*10 + x>>8
	return (x&mask*(100+1000000<<32) + x>>16&mask*(1+10000<<32)) >> 32
}

// split is the inverse of join, with digits as text: it splits x, below 10^8, into halves of four digits, then pairs,
// then digits, with one multiplication each (P. Khuong, "How to print integers really fast", 2017).
func split(x uint64) uint64 {
	halves := x%10000<<32 | x/10000
	hundreds := halves * 10486 >> 20 & 0x7f0000007f // halves / 100
	pairs := (halves-100*hundreds)<<16 | hundreds
	tens := pairs * 103 >> 10 & 0x000f000f000f000f // pairs / 10
	return (pairs-10*tens)<<8 | tens | Zeros
}

// lastBytes returns the bytes of b from b[i] on, fewer than eight, in little-endian order, with zeros after them.
func lastBytes(b []byte, i int) (x uint64) {
	if len(b) >= 8 {
		return binary.LittleEndian.Uint64(b[len(b)-8:]) >> (8 * (i + 8 - len(b)))
	}
	for at := i; at < len(b); at++ {
		x |= uint64(b[at]) << (8 * (at - i))
	}
	return x
}
