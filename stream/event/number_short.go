package event

import (
	"encoding/binary"
	"math"
)

// short reads the number at b[i] as most numbers in text are: maybe a minus, up to seven digits, and maybe a point with up to
// seven more behind it. Every such number is a whole number below 10^14 over a power of ten, so one division gives
// textNumber's bits (convert says why). It returns the offset of the first other byte, whatever that is; end is -1 when there
// is no digit, or when there are more: that is for textNumber.
func short(b []byte, i int) (v float64, end int) {
	minus := 0
	if i < len(b) && b[i] == '-' {
		minus = 1
	}
	i += minus
	var m uint64
	n, behind := 1, 0
	if i+1 < len(b) && b[i]-'0' <= 9 && b[i+1]-'0' > 9 { // one digit, as mostly: not worth eight
		m = uint64(b[i] - '0')
	} else {
		var values uint64
		values, n = leading(eightBytes(b, i))
		m = eight(values)
	}
	i += n
	count := n
	if i < len(b) && b[i] == '.' {
		var values uint64
		values, behind = leading(eightBytes(b, i+1))
		m = m*wholePowers[behind] + eight(values)
		i += 1 + behind
		count += behind
	}
	if n == 8 || behind == 8 || count == 0 {
		return 0, -1
	}
	v = float64(int64(m)) / powers[behind]
	return math.Float64frombits(math.Float64bits(v) | uint64(minus)<<63), i
}

// fraction is the number of one whole digit and one to eight digits behind the point, the lowest bytes of x, and with minus 1 a sign. It is
// one exact number over another: convert says why that is textNumber's.
func fraction(whole, x uint64, digits, minus uint) float64 {
	s := &scales[(minus<<4|digits)%uint(len(scales))]
	return float64(int64(whole*s.whole+eight(x<<((64-8*digits)&63)))) / s.over
}

// scales has for each number of digits behind a point what a whole digit is worth there, and the power of ten to divide by; from
// 16 on for numbers below zero. m/-10^n has the bits of -(m/10^n), also for 0.
var scales = func() (s [32]scale) {
	for n := range 16 {
		s[n] = scale{wholePowers[n], powers[n]}
		s[16+n] = scale{wholePowers[n], -powers[n]}
	}
	return s
}()

type scale struct {
	whole uint64
	over  float64
}

// eightBytes gives the eight bytes at b[i], the lowest first, with zeros for those behind the end.
func eightBytes(b []byte, i int) (x uint64) {
	if i+8 <= len(b) {
		return binary.LittleEndian.Uint64(b[i:])
	}
	if len(b) >= 8 {
		return binary.LittleEndian.Uint64(b[len(b)-8:]) >> (8 * (i + 8 - len(b)))
	}
	for at := i; at < len(b); at++ {
		x |= uint64(b[at]) << (8 * (at - i))
	}
	return x
}
