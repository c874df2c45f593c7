package exact

import "math"

// Log is the natural logarithm of x > 0, finite, with the same bits on every machine: see Exp. With x = 2^n·(1 + f),
// √½ <= 1 + f < √2, and s = f/(2 + f), ln(1 + f) is 2·artanh(s) = f - s·(f - r), r being the rest of the
// series, 2/3·s² + 2/5·s⁴ + ... up to s^22 (the reduction is Cody and Waite's). The result is within one unit in
// the last place.
func Log(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	f, n := m-1, float64(e)
	s := f / (2 + f)
	square := float64(s * s)
	rest := 2.0 / 23
	for _, c := range [...]float64{2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11,
		2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3} {
		rest = c + float64(rest*square)
	}
	rest *= square
	// f - s·(f - r) with s·f = f²/2 - s·f²/2, which loses less: f²/2 is small beside f.
	half := float64(float64(0.5*f) * f)
	small := float64(s*(half+rest)) + float64(n*ln2Low)
	return float64(n*ln2High) - ((half - small) - f)
}

// LogOnePlus is ln(1+x) for x >= 0, finite, with the same bits on every machine. The logarithm of 1+x as it is rounded
// lacks what the rounding took off, c; the derivative gives its part. The result is within two units in the last place.
func LogOnePlus(x float64) float64 {
	u := 1 + x
	c := x - (u - 1)
	if x > 1 {
		c = 1 - (u - x)
	}
	return Log(u) + c/u
}
