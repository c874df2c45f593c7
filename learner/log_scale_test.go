package learner

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestLogScale(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	xs := []float64{0, 1, 0x1p-53, 0x1p-52, 1e-15, 1e-5, 0.5, 1e15, 0x1p53, 1e30, math.SmallestNonzeroFloat64,
		math.Nextafter(1, 0), math.Nextafter(1, 2)}
	for range 200_000 {
		xs = append(xs, r.Float64(), 10*r.Float64(), math.Exp(140*r.Float64()-70))
	}
	for _, x := range xs {
		got, want := LogScale(x), math.Log1p(x)
		if ulps(got, want) > 2 {
			t.Fatalf("LogScale(%v) = %v, math.Log1p has %v", x, got, want)
		}
		if LogScale(-x) != -got {
			t.Fatalf("LogScale(-%v) is %v", x, LogScale(-x))
		}
	}
	for x, bits := range map[float64]uint64{ // of every machine
		0.1: 0x3fb8663f793c46c7, 3.5: 0x3ff810b375dce91e, 1234.5: 0x401c7a17b2ab89e4, 1e-9: 0x3e112e0be801f1d9,
		1e20: 0x4047069e2aa2aa5b,
	} {
		if got := math.Float64bits(LogScale(x)); got != bits {
			t.Errorf("LogScale(%v) has the bits %#x, want %#x", x, got, bits)
		}
	}
}
