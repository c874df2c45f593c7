package number

import (
	"math"
	"unsafe"
)

// JSON reads the JSON number at b[i] (RFC 8259, section 6). It returns its value and the offset after it; next is -1
// if there is no number. A number too large for float64 yields an infinity.
func JSON(b []byte, i int) (v float64, next int) { return Read(b, i, true) }

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

// Window is how many bytes At loads at most: a sign, 15 digits, a point, three times eight digits, and an exponent of
// two digits with the byte after it.
const Window = 1 + 15 + 1 + 24 + 5

// Large is what numbers that At reads are less than in magnitude.
const Large = 1e30

// At is Read for a number at p, where Window bytes can be read. It returns the number's size. A size of 0 means that
// there is none or that it is left to long: it is Large, its digits do not fit into 64 bits, its exponent has more than
// two, or it ends with the point.
//
// It reads eight digits at a time. m is the number without its sign and its point, modulo 2^64.
func At(p unsafe.Pointer, strict bool) (v float64, size int) {
	m, minus := Start(p)
	if m > 9 {
		return Other(p, minus, strict)
	}
	return fraction(p, m, minus, minus+2)
}

// Other is At for a number that does not Start with one digit and a point.
func Other(p unsafe.Pointer, minus int, strict bool) (v float64, size int) {
	c, m, at := byteAt(p, minus), uint64(0), minus
	if c-'0' > 9 && (strict || c != '.') {
		return 0, 0
	}
	x, y := Digits(p, at)
	if y == 0 {
		m, at = join(x), at+8
		if x, y = Digits(p, at); y == 0 {
			return 0, 0
		}
	}
	n := Leading(y)
	m, at = Extend(m, x, n), at+n
	if strict && c == '0' && at-minus > 1 {
		return 0, 0
	}
	switch c = byteAt(p, at); {
	case c == '.':
		return fraction(p, m, minus, at+1)
	case c|0x20 == 'e':
		return Scaled(p, m, 0, minus, at)
	}
	return Quotient(m, 0, minus), at // 15 digits are below 2^53
}

// fraction is the end of At: m is the number before the point, and p[at] after it.
func fraction(p unsafe.Pointer, m uint64, minus, at int) (v float64, size int) {
	x, y := Digits(p, at)
	if y == 0 {
		return Long(p, m, x, minus, at)
	}
	n := Leading(y)
	return Scaled(p, Extend(m, x, n), -n, minus, at+n)
}

// Start reads a sign, one digit and a point: minus is 1 for a minus, else 0, and m is the digit. If the number begins
// otherwise, m is more than 9. It takes no branch: signs are not predictable.
func Start(p unsafe.Pointer) (m uint64, minus int) {
	if byteAt(p, 0) == '-' {
		minus = 1
	}
	return uint64(twoAt(p, minus)) - ('.'<<8 | '0'), minus
}

// Long is the end of At: m is the number before the point, and at p[at] are eight digits or more, of which x has the
// first eight. Most doubles that are printed with all their digits have sixteen after the point, or one or two more.
func Long(p unsafe.Pointer, m, x uint64, minus, at int) (v float64, size int) {
	point := at
	m, at = Eight(m, x), at+8
	if x, y := Digits(p, at); y != 0 {
		n := Leading(y)
		m, at = Extend(m, x, n), at+n
	} else {
		m, at = Eight(m, x), at+8
		end := at + 8
		for c := byteAt(p, at) - '0'; c <= 9; c = byteAt(p, at) - '0' {
			if at == end {
				return 0, 0
			}
			m, at = m*10+uint64(c), at+1
		}
	}
	if byteAt(p, at)|0x20 == 'e' || at-minus > most || m == 0 {
		return Scaled(p, m, point-at, minus, at)
	}
	hi, lo := product(m, point-at)
	f, top := round(hi, lo, point-at)
	return float(f, top, m, point-at, minus), at
}

// Scaled is the end of At: the digits up to p[at] are read, and say m·10^e. It reads an exponent of one or two digits.
func Scaled(p unsafe.Pointer, m uint64, e, minus, at int) (v float64, size int) {
	if e == 0 && byteAt(p, at-1) == '.' || at-minus > most && !exact(p, minus, at) {
		return 0, 0
	}
	if byteAt(p, at)|0x20 == 'e' {
		at++
		sign := byteAt(p, at)
		if sign == '-' || sign == '+' {
			at++
		}
		n := int(byteAt(p, at)) - '0'
		if uint(n) > 9 {
			return 0, 0
		}
		at++
		if c := byteAt(p, at) - '0'; c <= 9 {
			n, at = 10*n+int(c), at+1
		}
		if sign == '-' {
			n = -n
		}
		if e += n; byteAt(p, at)-'0' <= 9 || e > 10 && large(m, e) {
			return 0, 0
		}
	}
	if e <= 0 && e >= -quotient && m < 1<<53 {
		return Quotient(m, -e, minus), at
	}
	if m == 0 {
		return math.Float64frombits(uint64(minus) << 63), at
	}
	hi, lo := product(m, e)
	f, top := round(hi, lo, e)
	return float(f, top, m, e, minus), at
}

// most is the size of a number without a sign whose digits, 19, always fit into 64 bits.
const most = 19 + len(".")

// exact reports whether the digits from p[from] to p[at] have a point, and fit into 64 bits.
func exact(p unsafe.Pointer, from, at int) bool {
	if byteAt(p, from)-'1' < 9 {
		return at-from <= most
	}
	for from < at && (byteAt(p, from) == '0' || byteAt(p, from) == '.') {
		from++
	}
	return at-from < most
}

// large reports whether m·10^e, where e is more than 10, may be Large.
func large(m uint64, e int) bool { return e > 29 || m > powers[29-e] }
