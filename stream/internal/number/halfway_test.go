package number

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
)

// nextToHalfway returns a function that appends numbers around the middle between a float64, as next returns it, and
// the next larger one: the middle with all its digits or with the first 17 to 19 of them, and both neighbours in the
// last digit.
func nextToHalfway(next func(r *rand.Rand) float64) func(b []byte, r *rand.Rand) []byte {
	var middle decimal
	left := 0 // how many numbers are still taken from this middle: it is expensive
	return func(b []byte, r *rand.Rand) []byte {
		if left--; left < 0 {
			middle, left = middleAfter(next(r)), 31
		}
		unit := int64(left%3 - 1)
		if left < 3 || len(middle.text) < 19 {
			whole := new(big.Int).Add(middle.digits, big.NewInt(unit))
			return appendDecimal(b, whole.String(), middle.exponent, r)
		}
		n := 17 + r.IntN(3)
		m, _ := strconv.ParseUint(middle.text[:n], 10, 64)
		return appendDecimal(b, strconv.FormatUint(m+uint64(unit), 10), middle.exponent+len(middle.text)-n, r)
	}
}

// decimal is digits·10^exponent; text is the digits.
type decimal struct {
	digits   *big.Int
	text     string
	exponent int
}

// middleAfter is the middle between v and the next larger float64.
func middleAfter(v float64) (d decimal) {
	u := math.Float64bits(v)
	c, q := u&(1<<52-1), max(int(u>>52), 1)-1075 // v is c·2^q
	if u>>52 != 0 {
		c |= 1 << 52
	}
	d.digits = new(big.Int).SetUint64(2*c + 1)
	if q--; q >= 0 {
		d.digits.Lsh(d.digits, uint(q))
	} else {
		d.digits.Mul(d.digits, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-q)), nil))
		d.exponent = q
	}
	d.text = d.digits.String()
	return d
}

// appendDecimal appends digits·10^exponent, without an exponent if it is of usual size.
func appendDecimal(b []byte, digits string, exponent int, r *rand.Rand) []byte {
	point := len(digits) + exponent
	switch plain := r.IntN(4) > 0; {
	case plain && point > 0 && exponent < 0:
		return append(append(append(b, digits[:point]...), '.'), digits[point:]...)
	case plain && point <= 0 && point > -8:
		b = append(b, "0."+"0000000"[:-point]...)
		return append(b, digits...)
	}
	b = append(append(append(b, digits[0], '.'), digits[1:]...), 'e')
	return strconv.AppendInt(b, int64(point-1), 10)
}
