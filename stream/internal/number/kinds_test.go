package number

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"unsafe"
)

// envNumbers names the environment variable that says how many numbers of each kind TestKinds reads: 100,000,000 take
// minutes a kind.
const envNumbers = "ROSENBLATT_TEST_NUMBERS"

// kinds append numbers as programs print them, and those that are hardest to round.
var kinds = []struct {
	name   string
	append func(b []byte, r *rand.Rand) []byte
}{
	{"shortest", func(b []byte, r *rand.Rand) []byte { return strconv.AppendFloat(b, r.NormFloat64(), 'f', -1, 64) }},
	{"17 digits", func(b []byte, r *rand.Rand) []byte { return strconv.AppendFloat(b, r.NormFloat64(), 'g', 17, 64) }},
	{"any shortest", func(b []byte, r *rand.Rand) []byte { return strconv.AppendFloat(b, finite(r), 'g', -1, 64) }},
	{"exponents", func(b []byte, r *rand.Rand) []byte {
		return strconv.AppendFloat(b, sized(r, 120), 'e', r.IntN(19)-1, 64)
	}},
	{"fixed", func(b []byte, r *rand.Rand) []byte { return strconv.AppendFloat(b, sized(r, 30), 'f', r.IntN(23), 64) }},
	{"denormals", func(b []byte, r *rand.Rand) []byte {
		return strconv.AppendFloat(b, math.Float64frombits(r.Uint64N(1<<52)), 'g', r.IntN(18)-1, 64)
	}},
	{"halfway", halfway},
	{"next to halfway", nextToHalfway(func(r *rand.Rand) float64 { return sized(r, 330) })},
	{"next to halfway, all sizes", nextToHalfway(func(r *rand.Rand) float64 { return math.Abs(finite(r)) })},
	{"next to halfway, denormals", nextToHalfway(func(r *rand.Rand) float64 {
		return math.Float64frombits(r.Uint64N(1 << 52))
	})},
	{"digits", someDigits},
}

// TestKinds compares values with strconv's, to the bit.
func TestKinds(t *testing.T) {
	rounds := 2_000
	if text := os.Getenv(envNumbers); text != "" {
		var err error
		if rounds, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s: %v", envNumbers, err)
		}
	}
	for i, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(i), uint64(rounds)))
			var b []byte
			for range rounds {
				b = b[:0]
				if r.IntN(2) == 0 {
					b = append(b, '-')
				}
				if b = k.append(b, r); b[0] == '-' && b[1] == '-' {
					b = b[1:]
				}
				checkKind(t, b)
			}
		})
	}
}

// checkKind reads a number at the end of the text and with others after it.
func checkKind(t *testing.T, b []byte) {
	want, _ := strconv.ParseFloat(unsafe.String(&b[0], len(b)), 64)
	v, end := JSON(b, 0)
	if end != len(b) || math.Float64bits(v) != math.Float64bits(want) {
		t.Fatalf("%s: %v up to %d, want %v", b, v, end, want)
	}
	text := append(b, ",12345678.12345678,1234567812345678123456781234567812345678"...)
	v, end = Read(text, 0, false)
	if end != len(b) || math.Float64bits(v) != math.Float64bits(want) {
		t.Fatalf("%s with others after it: %v up to %d, want %v", b, v, end, want)
	}
}

func finite(r *rand.Rand) float64 {
	for {
		if v := math.Float64frombits(r.Uint64()); v-v == 0 {
			return v
		}
	}
}

// sized returns a number between 2^-most and 2^most.
func sized(r *rand.Rand, most int) float64 { return math.Ldexp(1+r.Float64(), r.IntN(2*most)-most) }

// halfway appends a number between two neighbouring float64s, or one next to it: an odd integer of 54 bits over a power
// of two.
func halfway(b []byte, r *rand.Rand) []byte {
	n, zeros := r.IntN(5), 0 // digits after the point, and zeros before it
	m := uint64(1)<<53 + r.Uint64N(1<<53) | 1
	switch m = m * (powers[n] >> n); {
	case n == 0 && r.IntN(2) == 0:
		m <<= r.IntN(11)
	case n == 0:
		zeros = r.IntN(6)
	}
	digits := strconv.FormatUint(m+uint64(r.IntN(3))-1, 10)
	point := len(digits) - n
	if r.IntN(2) == 0 {
		b = append(append(append(b, digits[0], '.'), digits[1:]...), 'e')
		return strconv.AppendInt(b, int64(point-1+zeros), 10)
	}
	b = append(b, digits[:point]...)
	for range zeros {
		b = append(b, '0')
	}
	if n > 0 {
		b = append(append(b, '.'), digits[point:]...)
	}
	return b
}

// someDigits appends up to 25 digits, with or without a point and an exponent.
func someDigits(b []byte, r *rand.Rand) []byte {
	zeros, n := r.IntN(8), 1+r.IntN(25)
	if r.IntN(2) == 0 {
		b = append(b, '1'+byte(r.IntN(9)))
		for range r.IntN(n) {
			b, n = append(b, '0'+byte(r.IntN(10))), n-1
		}
		zeros = 0
	} else {
		b = append(b, '0')
	}
	b = append(b, '.')
	for range zeros {
		b = append(b, '0')
	}
	for range n {
		b = append(b, '0'+byte(r.IntN(10)))
	}
	if r.IntN(4) == 0 {
		b = strconv.AppendInt(append(b, 'E'), int64(r.IntN(140)-70), 10)
	}
	return b
}
