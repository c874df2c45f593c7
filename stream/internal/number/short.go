package number

import "math"

// Short reads the number at b[i] if it has a form that most numbers in text have: an optional minus, up to seven
// digits, and optionally a point with up to seven more digits. Such a number is an integer below 10^14 over a power
// of ten, so one division yields the nearest float64 (see convert). Short returns the offset of the first other byte,
// whatever it is; end is -1 if there is no digit or if there are more digits, which are left to Text.
func Short(b []byte, i int) (v float64, end int) {
	minus := 0
	if i < len(b) && b[i] == '-' {
		minus = 1
	}
	i += minus
	var m uint64
	n, behind := 1, 0
	if i+1 < len(b) && b[i]-'0' <= 9 && b[i+1]-'0' > 9 { // one digit, the most frequent case: not worth eightBytes
		m = uint64(b[i] - '0')
	} else {
		var values uint64
		values, n = Leading(eightBytes(b, i))
		m = join(values)
	}
	i += n
	count := n
	if i < len(b) && b[i] == '.' {
		var values uint64
		values, behind = Leading(eightBytes(b, i+1))
		m = m*powers[behind] + join(values)
		i += 1 + behind
		count += behind
	}
	if n == 8 || behind == 8 || count == 0 {
		return 0, -1
	}
	v = float64(int64(m)) / floatPowers[behind]
	return math.Float64frombits(math.Float64bits(v) | uint64(minus)<<63), i
}

// Fraction returns the number with the digit whole before the point and one to eight digits after it, whose values are
// the lowest bytes of x; minus is 1 for a negative number, else 0. It divides two exact numbers (see convert).
func Fraction(whole, x uint64, digits, minus uint) float64 {
	s := &scales[(minus<<4|digits)%uint(len(scales))]
	return float64(int64(whole*s.whole+join(x<<((64-8*digits)&63)))) / s.divisor
}

// scale is what Fraction needs for a number of digits after the point.
type scale struct {
	whole   uint64  // the factor of the digit before the point
	divisor float64 // negative for a negative number: m/-10^n has the bits of -(m/10^n), for m = 0 too
}

// scales is indexed by the number of digits, plus 16 for negative numbers.
var scales = func() (s [32]scale) {
	for n := range 16 {
		s[n] = scale{powers[n], floatPowers[n]}
		s[16+n] = scale{powers[n], -floatPowers[n]}
	}
	return s
}()
