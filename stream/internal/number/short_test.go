package number

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// checkShort compares Short, at each byte of b, with Text of what it read.
func checkShort(t *testing.T, b []byte) {
	t.Helper()
	for i := range len(b) + 1 {
		v, end := Short(b, i)
		if end < 0 {
			continue
		}
		want, k := Text(b[i:end])
		if k != Finite || math.Float64bits(v) != math.Float64bits(want) {
			t.Fatalf("%q from %d: %v up to %d, want %v", b, i, v, end, want)
		}
		if end < len(b) && b[end]-'0' <= 9 {
			t.Fatalf("%q from %d: a digit is left at %d", b, i, end)
		}
	}
}

func FuzzShort(f *testing.F) {
	for _, s := range []string{"", "0", "-0", "-0.0", "1.", ".5", ".", "-", "-.", "0.056443", "1234567", "12345678",
		"1.1234567", "1.12345678", "9999999.9999999 ", "0.1,0.2", "1e5", "+1", "007"} {
		f.Add([]byte(s))
	}
	f.Fuzz(checkShort)
}

// TestShort reads decimals as printf prints them, anywhere in a line.
func TestShort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		s := fmt.Sprintf("%.*f", r.IntN(8), (r.Float64()-0.5)*math.Pow10(r.IntN(8)))
		v, end := Short([]byte(s), 0)
		if want, _ := Text([]byte(s)); end != len(s) || math.Float64bits(v) != math.Float64bits(want) {
			t.Fatalf("%s: %v up to %d", s, v, end)
		}
		checkShort(t, []byte(s+" "+s+",1"))
	}
}
