// Package exact has the functions that learners, metrics and batch training need to give the same bits on every
// machine.
package exact

import "math"

// ln2 in two parts: a whole number times the first one is exact.
const (
	ln2High = 0x1.62e42feep-1
	ln2Low  = 0x1.a39ef35793c76p-33
)

// Exp is e^x. math.Exp is written in assembly for some processors and may differ in its last bit; here every product
// is rounded before it is added. With x = n·ln2 + r, |r| <= ln2/2, e^r is Taylor's series up to r^13 and 2^n is
// exact (the reduction is that of Cody and Waite, Software Manual for the Elementary Functions, 1980). The result is
// within one unit in the last place of the true one; subnormal numbers are rounded once more.
func Exp(x float64) float64 {
	switch {
	case x > 709.79:
		return math.Inf(1)
	case x < -745.2:
		return 0
	}
	n := math.Floor(float64(x*math.Log2E) + 0.5)
	r := (x - float64(n*ln2High)) - float64(n*ln2Low)
	tail := 1.0 / 6227020800 // 1/13!
	for _, c := range [...]float64{1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
		1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2} {
		tail = c + float64(tail*r)
	}
	return math.Ldexp(1+(r+float64(float64(r*r)*tail)), int(n))
}

// Power is x^n for n >= 0, by squaring: math.Pow need not have the same bits everywhere.
func Power(x float64, n int64) float64 {
	result := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			result *= x
		}
		x *= x
	}
	return result
}
