package number

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

func checkAppend(t *testing.T, v float64) {
	t.Helper()
	got, want := Append([]byte("x"), v), strconv.AppendFloat([]byte("x"), v, 'g', -1, 64)
	if string(got) != string(want) {
		t.Fatalf("%016x: %s, want %s", math.Float64bits(v), got, want)
	}
}

func FuzzAppend(f *testing.F) {
	for _, v := range []float64{0, 1, -1, 0.1, 0.5, 0.3, 1e-4, math.Nextafter(1e-4, 0), 1e6, math.Nextafter(1e6, 0),
		123456, 0.000123, -3.25, math.Pi, math.Inf(1), math.NaN(), 5e-324, 1e22, 9007199254740993} {
		f.Add(v)
	}
	f.Fuzz(checkAppend)
}

// Each distance of doubles that is spelled here, with few digits, with many, next to those with few, and halfway.
func TestAppend(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200_000 {
		v := math.Ldexp(1+r.Float64(), r.IntN(40)-17)
		if r.IntN(2) == 0 {
			v = -v
		}
		checkAppend(t, v)
		scale := math.Pow10(r.IntN(17))
		short := math.Round(v*scale) / scale
		checkAppend(t, short)
		checkAppend(t, math.Nextafter(short, 1e9))
		checkAppend(t, math.Nextafter(short, -1e9))
		checkAppend(t, math.Ldexp(math.Round(v*1024), -10-r.IntN(6)))
	}
	for e := -20; e < 24; e++ {
		v := math.Ldexp(1, e)
		for range 100 {
			checkAppend(t, v)
			v = math.Nextafter(v, 0)
		}
	}
}

// Numbers of each length, and next to those with one digit more.
func TestAppendInt(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	check := func(v int64) {
		t.Helper()
		if got, want := AppendInt([]byte("x"), v), strconv.AppendInt([]byte("x"), v, 10); string(got) != string(want) {
			t.Fatalf("%d: %s", v, got)
		}
	}
	for size, most := 0, int64(1); size < 19; size, most = size+1, most*10 {
		check(most)
		check(most - 1)
		check(-most)
		for range 1000 {
			check(r.Int64N(most))
		}
	}
	check(math.MaxInt64)
	check(math.MinInt64)
}

func BenchmarkAppend(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	values := make([]float64, 1024)
	for i := range values {
		values[i] = r.NormFloat64() * 10
	}
	var buf []byte
	for name, spell := range map[string]func(dst []byte, v float64) []byte{
		"ours":    Append,
		"strconv": func(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'g', -1, 64) },
	} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				buf = spell(buf[:0], values[i%len(values)])
			}
		})
	}
}
