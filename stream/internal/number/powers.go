package number

import (
	"math"
	"math/big"
)

// powers holds the powers of ten that fit into uint64. The last element, in place of 10^20, is only compared with and
// divided by: no decimal in this package reaches it.
var powers = [...]uint64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, math.MaxUint64}

// fives holds the powers of five up to 5^20.
var fives = func() (f [21]uint64) {
	for n := range 20 {
		f[n] = powers[n] >> n
	}
	f[20] = 5 * f[19]
	return f
}()

// The exponents in wide. The product of 10^e and any uint64 is far from the bounds of float64.
const (
	minWide = -128
	maxWide = 127
)

// wide[uint8(e)] is 10^e as hi·2^64 + lo, times a power of two so that the highest bit is set. Where such a
// number is not exact it is rounded down, but up from 10^-27 to 10^-1, as product requires.
var wide = func() (w [maxWide - minWide + 1]struct{ hi, lo uint64 }) {
	put := func(e int, x *big.Int) {
		var low big.Int
		low.SetUint64(math.MaxUint64)
		low.And(&low, x)
		w[uint8(e)].hi, w[uint8(e)].lo = new(big.Int).Rsh(x, 64).Uint64(), low.Uint64()
	}
	five := big.NewInt(1) // 5^e
	for e := range 1 - minWide {
		size := five.BitLen()
		if e <= maxWide {
			put(e, new(big.Int).Rsh(new(big.Int).Lsh(five, 128), uint(size)))
		}
		if e > 0 {
			x := new(big.Int).Lsh(big.NewInt(1), uint(size+127))
			if x.Quo(x, five); e <= 27 {
				x.Add(x, big.NewInt(1))
			}
			put(-e, x)
		}
		five.Mul(five, big.NewInt(5))
	}
	return w
}()
