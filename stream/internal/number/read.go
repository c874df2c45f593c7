package number

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// JSON reads the JSON number at b[i] (RFC 8259, section 6). It returns its value and the offset after it; next is -1
// if there is no number. A number too large for float64 yields an infinity.
func JSON(b []byte, i int) (v float64, next int) { return Read(b, i, true) }

// Window is how many bytes At loads at most: a sign, 15 digits, a point, three times eight digits, and an exponent of
// three digits with the byte after it.
const Window = 1 + 15 + 1 + 24 + 6

// Read reads the decimal number at b[i], which begins with a digit, a point or a minus. It returns its value and the
// offset of the first other byte, whatever it is; next is -1 if there is no number. A strict number is one of JSON:
// without leading zeros, and with digits on both sides of a point.
func Read(b []byte, i int, strict bool) (v float64, next int) {
	n := 0
	if i+Window <= len(b) {
		v, n = At(unsafe.Pointer(&b[i]), strict)
	} else if i < len(b) {
		var last [Window]byte // a number ends before the zeros that follow it
		copy(last[:], b[i:])
		v, n = At(unsafe.Pointer(&last), strict)
	}
	if n == 0 {
		return long(b, i, strict)
	}
	return v, i + n
}

// At is Read for a number at p, where Window bytes can be read. It returns the number's size. A size of 0 means that
// there is none or that it is longer than usual.
//
// It reads eight digits at a time, and m, modulo 2^64, is the number without its sign and its point.
func At(p unsafe.Pointer, strict bool) (v float64, size int) {
	minus := 0
	if byteAt(p, 0) == '-' { // so that it takes no branch: signs are not predictable
		minus = 1
	}
	m, n := uint64(byteAt(p, minus)-'0'), 1
	if m > 9 || byteAt(p, minus+1)-'0' <= 9 { // not one digit, the most frequent case
		x, y := digitsAt(p, minus)
		if m = 0; y == 0 {
			m = join(x)
			x, y = digitsAt(p, minus+8)
			n = 9
		}
		n += bits.TrailingZeros64(y)>>3 - 1
		m = appendDigits(m, x, n&7)
		if y == 0 || strict && (n == 0 || byteAt(p, minus) == '0') {
			return 0, 0
		}
	}
	at, exp := minus+n, 0
	c := byteAt(p, at)
	if c == '.' {
		at++
		point := at
		x, y := digitsAt(p, at)
		if y == 0 {
			m = m*1e8 + join(x)
			at += 8
			if x, y = digitsAt(p, at); y == 0 {
				m = m*1e8 + join(x)
				at += 8
				if x, y = digitsAt(p, at); y == 0 {
					return 0, 0
				}
			}
		}
		more := bits.TrailingZeros64(y) >> 3
		m = appendDigits(m, x, more)
		at += more
		if exp = point - at; exp == 0 && (strict || n == 0) || at > most && !exact(p, at, minus) {
			return 0, 0
		}
		c = byteAt(p, at)
	} else if n == 0 {
		return 0, 0
	}
	if c|0x20 == 'e' {
		var e int
		if e, at = exponent(p, at+1); at < 0 {
			return 0, 0
		}
		exp += e
	}
	return nearest(m, exp, minus, at)
}

// most is the size of a number without a sign whose digits, 19, always fit into 64 bits.
const most = 19 + len(".")

// exact reports whether the digits up to p[at] fit into 64 bits.
func exact(p unsafe.Pointer, at, minus int) bool {
	size := at - minus
	return size <= most || size == most+1 && byteAt(p, minus) == '0'
}

func byteAt(p unsafe.Pointer, i int) byte { return *(*byte)(unsafe.Add(p, i)) }

// digitsAt loads eight bytes from p on. The bytes of x are the values of the digits among them. y is not 0 if one is
// not a digit, and its lowest bit set is then in the first such byte.
func digitsAt(p unsafe.Pointer, i int) (x, y uint64) {
	x = binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(p, i))[:]) ^ Zeros
	return x, others(x)
}

// appendDigits appends n digits, fewer than eight, to m. Their values are the lowest bytes of x.
func appendDigits(m, x uint64, n int) uint64 {
	return m*powers[n&7] + join(x<<8<<((56-8*n)&63))
}

// exponent reads an exponent of one to three digits, with or without a sign, at p. It returns the offset after it, or
// -1 if there is none.
func exponent(p unsafe.Pointer, i int) (e, next int) {
	c := byteAt(p, i)
	if c == '-' || c == '+' {
		i++
	}
	first := i
	for ; byteAt(p, i)-'0' <= 9; i++ {
		if i == first+3 {
			return 0, -1
		}
		e = e*10 + int(byteAt(p, i)-'0')
	}
	if c == '-' {
		e = -e
	}
	if i == first {
		return 0, -1
	}
	return e, i
}
