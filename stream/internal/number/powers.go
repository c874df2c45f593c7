package number

import "math"

// powers holds the powers of ten that fit into uint64. The last element, in place of 10^20, is only compared with and
// divided by: no decimal in this package reaches it.
var powers = [...]uint64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, math.MaxUint64}

// floatPowers holds the powers of ten that float64 represents exactly.
var floatPowers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
	1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// fives holds the powers of five up to 5^20.
var fives = func() (f [21]uint64) {
	for n := range 20 {
		f[n] = powers[n] >> n
	}
	f[20] = 5 * f[19]
	return f
}()
