package event

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// fixedNumber reads the number at b[i] as that of a feature with a known key.
func fixedNumber(b []byte, i int) (v float64, end int) {
	const key = " k:"
	keys, out := []templateKey{newTemplateKey([]byte(key), len(key)), {}}, make([]learner.Feature, 2)
	keys[0].need = max(len(key), 4) + margin
	endings := &fieldEndings{' ', '|'}
	n, next := parseFixedFields(append([]byte(key), b[i:]...), 0, keys[:1], out[:1], 0, endings)
	if n == 0 {
		return 0, -1
	}
	return out[0].Value, i + next - len(key)
}

// checkFixed compares fixedNumber, at each byte of b, with number.Text of what it read.
func checkFixed(t *testing.T, b []byte) {
	t.Helper()
	for i := range len(b) + 1 {
		v, end := fixedNumber(b, i)
		if end < 0 {
			continue
		}
		want, k := number.Text(b[i:end])
		if k != number.Finite || math.Float64bits(v) != math.Float64bits(want) {
			t.Fatalf("%q from %d: %v up to %d, want %v", b, i, v, end, want)
		}
		if end < len(b) && b[end]-'0' <= 9 {
			t.Fatalf("%q from %d: a digit is left at %d", b, i, end)
		}
	}
}

func FuzzFixedField(f *testing.F) {
	for _, s := range []string{"", "0", "-0", "-0.0", "1.", ".5", ".", "-", "-.", "0.056443", "1234567", "12345678",
		"1.1234567", "1.12345678", "9999999.9999999 ", "0.1,0.2", "1e5", "+1", "007"} {
		f.Add([]byte(s))
	}
	f.Fuzz(checkFixed)
}

// TestFixedField reads decimals as printf prints them, anywhere in a line.
func TestFixedField(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		s := fmt.Sprintf("%.*f", r.IntN(8), (r.Float64()-0.5)*math.Pow10(r.IntN(8)))
		checkFixed(t, []byte(s+" "+s+",1"))
		digits, padded := fractionDigits(s), []byte(s+" and twelve more")
		if _, end := fixedNumber(padded, 0); end >= 0 != (digits > 0) || end >= 0 && end != len(s) {
			t.Fatalf("%s: read up to %d", s, end)
		}
	}
}

// fractionDigits returns the number of digits behind the point of s if there are one to eight, and one digit in front
// of it; else 0.
func fractionDigits(s string) int {
	whole, behind, _ := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if len(whole) != 1 || len(behind) > 8 {
		return 0
	}
	return len(behind)
}
