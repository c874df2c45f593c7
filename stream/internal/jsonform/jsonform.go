// Package jsonform has what writers of formats with a schema share: they write values whose JSON forms are given.
package jsonform

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/tidwall/gjson"
)

// Misfit is the error of a value at a dotted path, which does not suit the schema.
func Misfit(path, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if path == "" {
		return errors.New(text)
	}
	return fmt.Errorf("field %q: %s", path, text)
}

// Join appends a name to a dotted path.
func Join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// Clip is the text of a value, as errors show it.
func Clip(v gjson.Result) string {
	if len(v.Raw) > 40 {
		return v.Raw[:40] + "..."
	}
	return v.Raw
}

// mostDigits bounds the powers of ten of decimals.
const mostDigits = 400

// Power is a power of ten, with up to 400 zeros.
func Power(zeros int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(min(max(zeros, 0), mostDigits))), nil)
}

// Times returns a number times a factor, if that is an integer.
func Times(raw string, factor *big.Int) (*big.Int, bool) {
	if x, err := strconv.ParseFloat(raw, 64); err != nil || x != 0 && math.Abs(x) < 1e-300 {
		return nil, false // its exponent may be of any size
	}
	r, ok := new(big.Rat).SetString(raw)
	if !ok {
		return nil, false
	}
	if r.Mul(r, new(big.Rat).SetInt(factor)); !r.IsInt() {
		return nil, false
	}
	return r.Num(), true
}

// Decimal returns a number as so many units of 10^-scale, with the smallest scale; not if that is 400 or more.
func Decimal(raw string) (units *big.Int, scale int, ok bool) {
	for scale := range mostDigits {
		if units, ok := Times(raw, Power(scale)); ok {
			return units, scale, true
		}
	}
	return nil, 0, false
}

// Complement returns an integer in two's complement, its highest byte first, in as few bytes as possible.
func Complement(n *big.Int) []byte {
	if n.Sign() >= 0 {
		return n.FillBytes(make([]byte, n.BitLen()/8+1))
	}
	size := uint(new(big.Int).Not(n).BitLen()/8 + 1)
	return new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), 8*size)).Bytes()
}
