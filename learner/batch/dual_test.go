package batch

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/learner/internal/exact"
)

// TestDualIsPrimal: under the same order both make the same corrections and end with the same weights. Values of a
// few binary digits make every sum exact, so that the same means the same bits; with others it means the same but for
// rounding.
func TestDualIsPrimal(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		examples, _ := cloud(r, 40, 4, 0.05)
		exact := seed%2 == 0
		if exact {
			for _, e := range examples {
				for i := range e.X {
					e.X[i].Value = math.Round(e.X[i].Value * 64)
				}
			}
		}
		o := Options{Order: []string{Cyclic, Random}[seed/2%2], Seed: seed, Rate: 0.5, Threshold: float64(seed % 3),
			MaxPasses:    60,
			StartWeights: []float64{1, 0, -2, 0.5}, StartBias: 0.25, Keep: Last, Work: -1}
		primal := train(t, examples, 4, o)
		o.Algorithm = Dual
		dual := train(t, examples, 4, o)
		if dual.Updates != primal.Updates || dual.Passes != primal.Passes || !slices.Equal(dual.Counts, primal.Counts) {
			t.Errorf("seed %d: %d updates in %d passes, primal %d in %d", seed, dual.Updates, dual.Passes,
				primal.Updates, primal.Passes)
		}
		if exact && (!slices.Equal(dual.Weights, primal.Weights) || dual.Bias != primal.Bias) {
			t.Errorf("seed %d: θ %v %v, w %v %v", seed, dual.Weights, dual.Bias, primal.Weights, primal.Bias)
		}
		for i, w := range primal.Weights {
			if !near(w, dual.Weights[i]) {
				t.Errorf("seed %d: θ %v, w %v", seed, dual.Weights, primal.Weights)
			}
		}
	}
}

// TestPolyIsExplicit: (x·x' + 1)² is the linear kernel over explicit features.
func TestPolyIsExplicit(t *testing.T) {
	for seed := range uint64(20) {
		plain, _ := cloud(rand.New(rand.NewPCG(seed, 4)), 30, 2, 0.1)
		var explicit []Example
		for _, e := range plain {
			x, y := e.X[0].Value, e.X[1].Value
			explicit = append(explicit, Example{Label: e.Label,
				X: []Term{{0, x * x}, {1, y * y}, {2, math.Sqrt2 * x * y},
					{3, math.Sqrt2 * x}, {4, math.Sqrt2 * y}, {5, 1}}})
		}
		a := train(t, plain, 2, Options{Algorithm: Dual, Kernel: poly(2, 1)})
		b := train(t, explicit, 6, Options{Algorithm: Primal})
		if a.Updates != b.Updates || !slices.Equal(a.Counts, b.Counts) || !near(a.R, b.R) || !near(a.Margin, b.Margin) {
			t.Errorf("seed %d: %d updates, R %v, margin %v; explicit %d, %v, %v", seed, a.Updates, a.R, a.Margin,
				b.Updates, b.R, b.Margin)
		}
		for i := range plain {
			if s, want := a.Score(plain[i].X), b.Score(explicit[i].X); !near(s, want) {
				t.Errorf("seed %d: example %d scores %v, explicit %v", seed, i, s, want)
			}
		}
	}
}

// TestGramMemory: whatever is kept of the Gram matrix, the result is the same to the bit.
func TestGramMemory(t *testing.T) {
	examples, _ := cloud(rand.New(rand.NewPCG(5, 5)), 50, 3, 0.02)
	o := Options{Algorithm: Dual, Kernel: rbf(3), Order: Random}
	all := train(t, examples, 3, o)
	o.GramBytes = 7 * 8 * 50
	some := train(t, examples, 3, o)
	o.GramBytes = 1
	none := train(t, examples, 3, o)
	if all.GramRows < 8 || some.GramRows != 7 || none.GramRows != 0 {
		t.Errorf("%d, %d and %d rows kept, want most, 7 and 0", all.GramRows, some.GramRows, none.GramRows)
	}
	for _, r := range []*Result{some, none} {
		if !slices.Equal(r.Counts, all.Counts) || r.Bias != all.Bias || r.Margin != all.Margin ||
			r.Maximal.Lower != all.Maximal.Lower {
			t.Errorf("%+v, with all rows %+v", r, all)
		}
	}
}

func TestOverflow(t *testing.T) {
	examples, dimensions := points([]float64{1, 1}, []float64{1e26, -1})
	_, err := Train(examples, dimensions, Options{Algorithm: Dual, Kernel: poly(3, 1)})
	if !errors.Is(err, ErrOverflow) {
		t.Errorf("%v, want %v", err, ErrOverflow)
	}
	far, dimensions := points([]float64{1e30, 1}, []float64{-1e30, -1})
	for _, o := range []Options{{}, {Algorithm: Dual}, {Algorithm: Dual, Kernel: rbf(0)}} {
		if r := train(t, far, dimensions, o); !r.Separated || !finite(r.Margin) || !finite(r.Bound) {
			t.Errorf("%+v: %+v", o, r)
		}
	}
}

// TestTwice: the values of an index that occurs twice add up, in every kernel.
func TestTwice(t *testing.T) {
	once, _ := points([]float64{3, 1}, []float64{1, -1})
	twice := []Example{{X: []Term{{0, 1}, {0, 2}}, Label: 1}, {X: []Term{{0, 4}, {0, -3}}, Label: -1}}
	for _, k := range []learner.Kernel{{}, {Name: learner.KernelPoly, Offset: 1}, rbf(0.5)} {
		a := train(t, once, 1, Options{Algorithm: Dual, Kernel: k})
		b := train(t, twice, 1, Options{Algorithm: Dual, Kernel: k})
		if a.Updates != b.Updates || a.R != b.R || a.Margin != b.Margin || a.Maximal != b.Maximal ||
			a.Score(once[0].X) != b.Score(twice[0].X) {
			t.Errorf("%v: %+v and %+v", k, a, b)
		}
	}
}

func TestExp(t *testing.T) {
	for x := 0.0; x > -800; x -= 0.0371 {
		got, want := exact.Exp(x), math.Exp(x)
		if math.Abs(got-want) > 4e-16*want+5e-324 {
			t.Fatalf("exact.Exp(%v) = %v, want %v", x, got, want)
		}
	}
	if exact.Exp(0) != 1 || exact.Exp(math.Inf(-1)) != 0 || exact.Exp(-1e300) != 0 {
		t.Error("the ends are wrong")
	}
	for _, c := range []struct {
		x    float64
		n    int
		want float64
	}{{2, 10, 1024}, {-3, 3, -27}, {0, 1, 0}, {5, 1, 5}, {1e100, 2, 1e200}} {
		if got := exact.Power(c.x, int64(c.n)); math.Abs(got-c.want) > 1e-15*math.Abs(c.want) {
			t.Errorf("%v^%d = %v", c.x, c.n, got)
		}
	}
}
