package number

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

var numbers = []string{"0", "-0", "1", "-1", "0.0", "1.5", "123456789", "1234567.12345678", "0.1",
	"0.30000000000000004",
	"0.8333326999999999", "9007199254740993", "9007199254740992.5", "9007199254740993.0", "0.9007199254740993",
	"18446744073709551615", "18446744073709551616", "1.8446744073709551615", "9999999999999999999",
	"0.9999999999999999999",
	"99999999999999999999", "1e22", "1e23", "1e-22", "1e-23", "123e20", "9007199254740993e22", "1e400", "-1e400",
	"1e-400",
	"5e-324", "2.4703282292062327208e-324", "1.7976931348623157e308", "1.7976931348623159e308",
	"0e999999999999999999999",
	"0.000000000000000000000000000001", "1E5", "1e+5", "1e05", "4503599627370496.5", "4503599627370497.5",
	"", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1.e1", "0x1", "1_0", "nan", "Inf", "--1", "1 ", "1a", "\x00"}

func FuzzNumber(f *testing.F) {
	for _, s := range numbers {
		f.Add(s)
	}
	f.Fuzz(checkNumber)
}

// checkNumber holds both readers of numbers against encoding/json's grammar and strconv's values.
func checkNumber(t *testing.T, s string) {
	v, end := JSON([]byte(s+","), 0)
	whole := end == len(s)
	isNumber := json.Valid([]byte(s)) && s == strings.TrimSpace(s) && strings.Trim(s[:1], "-0123456789") == ""
	if whole != isNumber {
		t.Fatalf("%q: read up to %d, number %v", s, end, isNumber)
	}
	if whole {
		sameBits(t, s, v)
	}
	room, after := JSON([]byte(s+","+strings.Repeat("1", Window)), 0)
	if after != end || math.Float64bits(room) != math.Float64bits(v) {
		t.Fatalf("%q: %v up to %d, but %v up to %d with more after it", s, v, end, room, after)
	}
	v, k := Text([]byte(s))
	_, err := strconv.ParseFloat(s, 64)
	ranged := err != nil && strings.HasSuffix(err.Error(), strconv.ErrRange.Error())
	switch {
	case k == Word && (err == nil || ranged) && !strings.ContainsAny(s, "xX_"):
		t.Fatalf("%q: %g in strconv, no number here", s, v)
	case k != Word && err != nil && !ranged:
		if !strings.EqualFold(s[1:], "nan") { // with a sign strconv takes it for none
			t.Fatalf("%q: %g here, but %v", s, v, err)
		}
	case k == Finite:
		sameBits(t, s, v)
	}
}

func sameBits(t *testing.T, s string, v float64) {
	t.Helper()
	want, _ := strconv.ParseFloat(s, 64)
	if math.Float64bits(v) != math.Float64bits(want) {
		t.Fatalf("%q: %v, want %v", s, v, want)
	}
}

// TestNumbers tries what programs print: all precisions, all sizes, and neighbours of halves, where rounding is
// hardest.
func TestNumbers(t *testing.T) {
	for _, s := range numbers {
		checkNumber(t, s)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		v := math.Float64frombits(r.Uint64())
		if r.IntN(2) == 0 {
			v = r.NormFloat64() * math.Pow(10, float64(r.IntN(12)-6))
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		checkNumber(t, strconv.FormatFloat(v, "efg"[r.IntN(3)], r.IntN(22)-1, 64))
		half := uint64(1)<<53 + r.Uint64N(1<<53) | 1
		checkNumber(t, strconv.FormatUint(half, 10)+"."+strconv.Itoa(r.IntN(1000)))
		checkNumber(t, "0."+strconv.FormatUint(r.Uint64(), 10)[r.IntN(4):])
	}
}

// TestQuotientTies divides what lies exactly between two float64s, and its neighbours.
func TestQuotientTies(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		k := 1 + r.IntN(4)
		// An odd number of 54 bits is half-way between two of 53; so are its multiples by a power of ten over that
		// power.
		odd := (uint64(1)<<53 + r.Uint64N(1<<53)) | 1
		m := odd
		for range k {
			if m > math.MaxUint64/10 {
				break
			}
			m *= 10
		}
		s := strconv.FormatUint(m, 10)
		for _, s := range []string{s, strconv.FormatUint(m+1, 10), strconv.FormatUint(m-1, 10)} {
			checkNumber(t, s[:len(s)-k]+"."+s[len(s)-k:])
		}
	}
}
