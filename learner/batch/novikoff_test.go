package batch

import (
	"math"
	"math/rand/v2"
	"testing"

	"rosenblatt/learner"
)

// TestNovikoff holds the updates of every algorithm and order, for many seeds and margins, against (R/γ)², γ being
// the margin of a separator known beforehand, that of the one found, and the lower bound of the widest.
func TestNovikoff(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 7))
		dimensions := 2 + r.IntN(8)
		examples, known := cloud(r, 40, dimensions, 0.02+0.2*r.Float64())
		for _, algorithm := range []string{Primal, PLA, Dual} {
			for _, order := range []string{Cyclic, Random} {
				res := train(t, examples, dimensions, Options{Algorithm: algorithm, Order: order, Seed: seed,
					Rate: []float64{1, 0.1, 0.5}[seed%3], MaxPasses: 1_000_000})
				if !res.Separated || res.Stopped != Separated {
					t.Fatalf("seed %d, %s, %s: not separated: %+v", seed, algorithm, order, res)
				}
				r2, updates := res.R*res.R, float64(res.Updates)
				for name, margin := range map[string]float64{"known": known, "found": res.Margin,
					"widest": res.Maximal.Lower} {
					if bound := r2 / (margin * margin); updates > bound {
						t.Errorf("seed %d, %s, %s: %v updates, bound %v by the %s margin", seed, algorithm, order,
							updates, bound, name)
					}
				}
				if known > res.Maximal.Upper*(1+1e-12) || res.Margin > res.Maximal.Upper*(1+1e-12) {
					t.Errorf("seed %d: margins %v and %v over the widest, %+v", seed, known, res.Margin, res.Maximal)
				}
			}
		}
	}
}

// TestNovikoffIsTight: on points along n axes with labels in turn every example is learned once, and (R/γ)² by the
// widest margin is n(1+1/r²).
func TestNovikoffIsTight(t *testing.T) {
	const n, r = 14, 10.0
	var examples []Example
	for i := range int32(n) {
		examples = append(examples, Example{X: []Term{{i, r}}, Label: int8(2*(i%2)) - 1})
	}
	for _, algorithm := range []string{Primal, PLA, Dual} {
		res := train(t, examples, n, Options{Algorithm: algorithm, Order: Cyclic, MaxPasses: 1000})
		bound := res.R * res.R / (res.Maximal.Upper * res.Maximal.Upper)
		if updates := float64(res.Updates); !res.Separated || updates > bound || updates < 0.98*bound {
			t.Errorf("%s: %v updates, bound %v by the widest margin, %+v", algorithm, updates, bound, res)
		}
	}
}

// TestNovikoffWithStart: the bound that takes start and threshold into account holds too, and is needed.
func TestNovikoffWithStart(t *testing.T) {
	beyond := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 8))
		dimensions := 2 + r.IntN(4)
		examples, _ := cloud(r, 30, dimensions, 0.1)
		o := Options{Algorithm: []string{Primal, PLA, Dual}[seed%3], Order: Random, Seed: seed, Rate: 0.5,
			Threshold: 3 * r.Float64(),
			StartBias: 4 * r.NormFloat64(), MaxPasses: 1_000_000}
		if seed%2 == 0 {
			o.StartWeights = make([]float64, dimensions)
			for i := range o.StartWeights {
				o.StartWeights[i] = 4 * r.NormFloat64()
			}
		}
		res := train(t, examples, dimensions, o)
		if !res.Separated {
			t.Fatalf("seed %d: %+v", seed, res)
		}
		if float64(res.Updates) > res.UpdateBound {
			t.Errorf("seed %d: %d updates, bound %v", seed, res.Updates, res.UpdateBound)
		}
		checkRoot(t, o, dimensions, res)
		if float64(res.Updates) > res.Bound {
			beyond++
		}
	}
	if beyond == 0 {
		t.Error("(R/γ)² was never exceeded: the test shows nothing about start and threshold")
	}
}

// checkRoot: the bound is where (u·z_0 + kηγ)² meets ‖z_0‖² + k(η²R² + 2ηδ).
func checkRoot(t *testing.T, o Options, dimensions int, res *Result) {
	t.Helper()
	start := make([]float64, dimensions+1)
	copy(start, o.StartWeights)
	start[dimensions] = o.StartBias
	found := append(append([]float64(nil), res.Weights...), res.Bias)
	onto := 0.0
	for i, v := range start {
		onto += v * found[i] / norm(found)
	}
	k := res.UpdateBound
	left := onto + k*o.Rate*res.Margin
	right := math.Sqrt(norm(start)*norm(start) + k*(o.Rate*o.Rate*res.R*res.R+2*o.Rate*o.Threshold))
	if math.Abs(left-right) > 1e-6*right {
		t.Errorf("at the bound %v: %v and %v", k, left, right)
	}
}

// TestKernelNovikoff: in the feature space of a kernel the bound is the same.
func TestKernelNovikoff(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 9))
		examples, _ := cloud(r, 25, 2, 0)
		for i := range examples { // a circle, which no line cuts out
			x, y := examples[i].X[0].Value, examples[i].X[1].Value
			examples[i].Label = -1
			if x*x+y*y < 0.5 {
				examples[i].Label = 1
			}
		}
		for _, k := range []learner.Kernel{poly(2, 1), rbf(2)} {
			res := train(t, examples, 2, Options{Algorithm: Dual, Kernel: k, Order: Random, Seed: seed,
				StartBias: float64(seed % 2), MaxPasses: 1_000_000})
			if !res.Separated || float64(res.Updates) > res.UpdateBound || res.Margin > res.Maximal.Upper*(1+1e-9) {
				t.Errorf("seed %d, %v: %d updates, bound %v, margin %v of %+v", seed, k, res.Updates, res.UpdateBound,
					res.Margin, res.Maximal)
			}
			checkKernelMargin(t, examples, res)
		}
	}
}

// checkKernelMargin computes the margin anew from the counts, in the plainest way.
func checkKernelMargin(t *testing.T, examples []Example, res *Result) {
	t.Helper()
	square, least := res.Bias*res.Bias, math.Inf(1)
	for i, e := range examples {
		s := res.Score(e.X) * float64(e.Label)
		square += float64(res.Counts[i]) * (s - res.Bias*float64(e.Label))
		least = min(least, s)
	}
	if want := least / math.Sqrt(square); math.Abs(want-res.Margin) > 1e-9*want {
		t.Errorf("margin %v, want %v", res.Margin, want)
	}
}
