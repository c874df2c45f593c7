package learner

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"rosenblatt/learner/internal/exact"
)

// ulps is the distance of two positive numbers in units of the last place.
func ulps(a, b float64) int64 {
	d := int64(math.Float64bits(a)) - int64(math.Float64bits(b))
	return max(d, -d)
}

func TestExp(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	xs := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1e-300, -1e-17, math.Ln2, -math.Ln2, math.Ln2 / 2, 709,
		709.8, 1000, -708,
		-709, -740, -745.1, -745.3, -1e308, math.MaxFloat64, math.Inf(1), math.Inf(-1)}
	for range 200_000 {
		xs = append(xs, 1400*r.Float64()-700, 20*r.Float64()-10, 2*r.Float64()-1)
	}
	worst := int64(0)
	for _, x := range xs {
		got, want := exact.Exp(x), math.Exp(x)
		if x == 0 && got != 1 {
			t.Errorf("exact.Exp(%v) = %v", x, got)
		}
		d := ulps(got, want)
		if worst = max(worst, d); d > 2 {
			t.Fatalf("exact.Exp(%v) = %v, math.Exp has %v", x, got, want)
		}
	}
	if got := exact.Exp(709.7); got != 1.6549840276802644e+308 { // math.Exp has infinity here, on amd64
		t.Errorf("exact.Exp(709.7) = %v", got)
	}
	t.Logf("%d units apart at most", worst)
}

// TestExpIsRight compares with a series summed in 200 bits: math.Exp has an error too.
func TestExpIsRight(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 2000 {
		x := 40*r.Float64() - 20
		quarter := new(big.Float).SetPrec(200).SetFloat64(x / 64)
		sum, term := big.NewFloat(1).SetPrec(200), big.NewFloat(1).SetPrec(200)
		for k := int64(1); k < 60; k++ {
			term.Quo(term.Mul(term, quarter), new(big.Float).SetInt64(k))
			sum.Add(sum, term)
		}
		for range 6 {
			sum.Mul(sum, sum)
		}
		if want, _ := sum.Float64(); ulps(exact.Exp(x), want) > 1 {
			t.Fatalf("exact.Exp(%v) = %v, want %v", x, exact.Exp(x), want)
		}
	}
}

func TestVanishing(t *testing.T) {
	for _, z := range []float64{0, 1e-300, 1e-20, 1e-9, 1e-3, 1. / 64, math.Nextafter(1./64, 1), 0.1, 1, 30, 800} {
		if got, want := expComplement(z), -math.Expm1(-z); math.Abs(got-want) > 1e-14*want {
			t.Errorf("expComplement(%v) = %v, want %v", z, got, want)
		}
	}
}

func TestLogisticOf(t *testing.T) {
	for _, s := range []float64{0, 1e-9, 0.5, 3, 40, 800, math.MaxFloat64} {
		up, down := sigmoid(s), sigmoid(-s)
		if want := 1 / (1 + math.Exp(-s)); math.Abs(up-want) > 1e-15 || math.Abs(up+down-1) > 1e-15 || down < 0 {
			t.Errorf("logisticOf(±%v) = %v and %v", s, up, down)
		}
	}
}
