package number

import "math/bits"

// Zeros is eight digits 0.
const Zeros = 0x3030303030303030

// Leading counts the decimal digits at the low end of x, which is eight bytes of text in little-endian order.
func Leading(x uint64) int { return bits.TrailingZeros64(others(x^Zeros)) >> 3 }

// others is 0 if the bytes of x, the values of digits, are nine at most. Else its lowest bit set is in the first other
// byte.
func others(x uint64) uint64 { return (x + 0x0606060606060606 | x) & 0xf0f0f0f0f0f0f0f0 }

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
