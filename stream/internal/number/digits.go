package number

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// zeros is eight digits 0.
const zeros = 0x3030303030303030

func byteAt(p unsafe.Pointer, i int) byte { return *(*byte)(unsafe.Add(p, i)) }

func twoAt(p unsafe.Pointer, i int) uint16 {
	return binary.LittleEndian.Uint16((*[2]byte)(unsafe.Add(p, i))[:])
}

func eightAt(p unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(p, i))[:])
}

// Digits loads eight bytes from p on. The bytes of x are the values of the digits among them. y is 0 if all are digits,
// else Leading(y) is the number of digits before the first other byte.
func Digits(p unsafe.Pointer, i int) (x, y uint64) {
	x = eightAt(p, i) ^ zeros
	return x, (x + 0x0606060606060606 | x) & 0xf0f0f0f0f0f0f0f0
}

// Leading is the number of digits before the first other byte, in which the lowest bit set of y is. y is not 0.
func Leading(y uint64) int { return bits.TrailingZeros64(y) >> 3 }

// Extend appends n digits, fewer than eight, to m. Their values are the lowest bytes of x.
func Extend(m, x uint64, n int) uint64 {
	return m*powers[n&7] + join(x<<8<<((56-8*n)&63))
}

// Eight appends eight digits to m. Their values are the bytes of x.
func Eight(m, x uint64) uint64 { return m*1e8 + join(x) }

// join returns the number of eight digits whose values are the bytes of x, the first digit in the lowest byte. It joins
// pairs, then fours, then all eight with one multiplication each.
func join(x uint64) uint64 {
	x = x * (1 + 10<<8) >> 8 & 0x00ff00ff00ff00ff
	x = x * (1 + 100<<16) >> 16 & 0x0000ffff0000ffff
	return x * (1 + 10000<<32) >> 32
}

// split is the inverse of join, with digits as text: it splits x, below 10^8, into halves of four digits, then pairs,
// then digits, with one multiplication each (P. Khuong, "How to print integers really fast", 2017).
func split(x uint64) uint64 {
	halves := x%10000<<32 | x/10000
	hundreds := halves * 10486 >> 20 & 0x7f0000007f // halves / 100
	pairs := (halves-100*hundreds)<<16 | hundreds
	tens := pairs * 103 >> 10 & 0x000f000f000f000f // pairs / 10
	return (pairs-10*tens)<<8 | tens | zeros
}
