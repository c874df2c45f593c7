package event

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"rosenblatt/learner"
)

// agreeShort holds short and usual, at each byte of b, against textNumber of what they read.
func agreeShort(t *testing.T, b []byte) {
	t.Helper()
	for i := range len(b) + 1 {
		for name, read := range map[string]func(b []byte, i int) (float64, int){"short": short, "usual": usualNumber} {
			v, end := read(b, i)
			if end < 0 {
				continue
			}
			want, k := textNumber(b[i:end])
			if k != finite || math.Float64bits(v) != math.Float64bits(want) {
				t.Fatalf("%s: %q from %d: %v up to %d, want %v", name, b, i, v, end, want)
			}
			if end < len(b) && b[end]-'0' <= 9 {
				t.Fatalf("%s: %q from %d: a digit is left at %d", name, b, i, end)
			}
		}
	}
}

// usualNumber reads the number at b[i] as a feature's, of which nothing is known but the key.
func usualNumber(b []byte, i int) (v float64, end int) {
	const key = " k:"
	keys, out := []shapeKey{textKey([]byte(key), len(key)), {}}, make([]learner.Feature, 2)
	n, next := usual(append([]byte(key), b[i:]...), 0, keys[:1], out[:1], inLine)
	if n == 0 {
		return 0, -1
	}
	return out[0].Value, i + next - len(key)
}

func FuzzShort(f *testing.F) {
	for _, s := range []string{"", "0", "-0", "-0.0", "1.", ".5", ".", "-", "-.", "0.056443", "1234567", "12345678", "1.1234567", "1.12345678", "9999999.9999999 ", "0.1,0.2", "1e5", "+1", "007"} {
		f.Add([]byte(s))
	}
	f.Fuzz(agreeShort)
}

// TestShort reads what it is made for: decimals as printf prints them, wherever in a line they stand.
func TestShort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		s := fmt.Sprintf("%.*f", r.IntN(8), (r.Float64()-0.5)*math.Pow10(r.IntN(8)))
		v, end := short([]byte(s), 0)
		if want, _ := textNumber([]byte(s)); end != len(s) || math.Float64bits(v) != math.Float64bits(want) {
			t.Fatalf("%s: %v up to %d", s, v, end)
		}
		agreeShort(t, []byte(s+" "+s+",1"))
		digits, padded := behindPoint(s), []byte(s+" and twelve more")
		if _, end := usualNumber(padded, 0); end >= 0 != (digits > 0) || end >= 0 && end != len(s) {
			t.Fatalf("%s: usual reads up to %d", s, end)
		}
	}
}

// behindPoint is how many digits s has behind its point, if it has one before it and one to eight behind it; else 0.
func behindPoint(s string) int {
	whole, behind, _ := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if len(whole) != 1 || len(behind) > 8 {
		return 0
	}
	return len(behind)
}
