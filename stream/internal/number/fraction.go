package number

// Fraction returns the number with the digit whole before the point and one to eight digits after it, whose values are
// the lowest bytes of x; minus is 1 for a negative number, else 0. It divides an integer below 10^9 by a power of ten.
// Both are exact, so one rounded operation yields the nearest float64 (W. D. Clinger, "How to read floating point
// numbers accurately", PLDI 1990).
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
		s[n] = scale{powers[n], float64(powers[n])}
		s[16+n] = scale{powers[n], -float64(powers[n])}
	}
	return s
}()
