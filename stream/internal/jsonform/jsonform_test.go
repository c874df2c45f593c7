package jsonform

import (
	"bytes"
	"math/big"
	"testing"
)

// TestComplement: the shortest bytes in two's complement.
func TestComplement(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64][]byte{
		0: {0}, 1: {1}, 127: {0x7f}, 128: {0, 0x80}, 255: {0, 0xff}, 256: {1, 0}, -1: {0xff}, -128: {0x80},
		-129: {0xff, 0x7f}, -256: {0xff, 0}, -32768: {0x80, 0}, -32769: {0xff, 0x7f, 0xff},
	} {
		if got := Complement(big.NewInt(n)); !bytes.Equal(got, want) {
			t.Errorf("%d: % x, want % x", n, got, want)
		}
	}
}

// TestDecimal: the units and the scale of a number, and what is none or takes too many digits.
func TestDecimal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		units int64
		scale int
		ok    bool
	}{
		"0": {0, 0, true}, "1.50": {15, 1, true}, "-0.001": {-1, 3, true}, "12e3": {12000, 0, true},
		"1e-290": {1, 290, true}, "1e-301": {}, "1e-999999999": {}, "x": {},
	} {
		units, scale, ok := Decimal(text)
		if ok != want.ok || ok && (units.Int64() != want.units || scale != want.scale) {
			t.Errorf("%s: %v, scale %d, %v", text, units, scale, ok)
		}
	}
}
