package batch

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestWidestIsWidest compares the solver, in the plane where rows have two columns, with trying all directions.
func TestWidestIsWidest(t *testing.T) {
	for seed := range uint64(40) {
		examples, _ := cloud(rand.New(rand.NewPCG(seed, 2)), 20, 1, 0.05)
		res := train(t, examples, 1, Options{})
		m := res.Maximal
		best := 0.0
		const steps = 20000
		for i := range steps {
			w, b := math.Cos(2*math.Pi*float64(i)/steps), math.Sin(2*math.Pi*float64(i)/steps)
			least := math.Inf(1)
			for _, e := range examples {
				least = min(least, float64(e.Label)*(w*e.X[0].Value+b))
			}
			best = max(best, least)
		}
		if !m.Solved || best > m.Upper*(1+1e-12) || best < m.Lower-res.R*math.Pi/steps {
			t.Errorf("seed %d: %+v, trying gives %v", seed, m, best)
		}
	}
}

// TestBracket: work that is cut short gives bounds that still hold, and a run that was cut short still learns of the
// separator.
func TestBracket(t *testing.T) {
	for seed := range uint64(30) {
		examples, known := cloud(rand.New(rand.NewPCG(seed, 6)), 200, 10, 0.01)
		full := train(t, examples, 10, Options{MaxPasses: 1, Keep: Last}).Maximal
		if !full.Solved || full.Lower < known*(1-1e-6) {
			t.Errorf("seed %d: %+v, known %v", seed, full, known)
		}
		for _, work := range []int64{1, 50_000, 500_000} {
			cut := train(t, examples, 10, Options{MaxPasses: 1, Keep: Last, Work: work}).Maximal
			if !cut.Tried || cut.Lower > full.Upper*(1+1e-12) || cut.Upper < full.Lower*(1-1e-12) || cut.Lower < 0 {
				t.Errorf("seed %d, work %d: %+v, solved %+v", seed, work, cut, full)
			}
			if cut.Solved && cut.Upper-cut.Lower > 2*SolverTolerance*cut.Upper {
				t.Errorf("seed %d, work %d: %+v is not solved", seed, work, cut)
			}
		}
	}
	examples, dimensions := and()
	if m := train(t, examples, dimensions, Options{Work: -1}).Maximal; m.Tried || m.Solved || m.Lower == 0 ||
		!math.IsInf(m.Upper, 1) {
		t.Errorf("not tried: %+v", m)
	}
}

// TestNoSeparator: where points of both sides mix, no upper bound stays over 0 and no lower one leaves it.
func TestNoSeparator(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 11))
		examples, _ := cloud(r, 60, 3, 0)
		for i := range examples {
			examples[i].Label = int8(1 - 2*(i%2))
		}
		res := train(t, examples, 3, Options{MaxPasses: 20})
		if res.Separated || res.Maximal.Lower != 0 || res.Maximal.Upper > 1e-3 || res.Maximal.Solved {
			t.Errorf("seed %d: %+v", seed, res)
		}
	}
	same, dimensions := points([]float64{2, 3, 1}, []float64{2, 3, -1})
	if res := train(t, same, dimensions, Options{MaxPasses: 5}); res.Separated || res.Maximal.Upper > Negligible*res.R {
		t.Errorf("one point on both sides: %+v", res)
	}
}

// TestDuplicates: rows that are the same, and sets of one example or one label, are solved like others.
func TestDuplicates(t *testing.T) {
	examples, dimensions := points([]float64{2, 1}, []float64{2, 1}, []float64{2, 1}, []float64{5, 1})
	res := train(t, examples, dimensions, Options{})
	if want := math.Sqrt(5); !res.Maximal.Solved || !near(res.Maximal.Upper, want) || !res.Separated {
		t.Errorf("%+v, want a widest margin of %v", res, want)
	}
	res = train(t, examples[:1], 1, Options{})
	if !res.Separated || res.Updates != 1 || !near(res.Margin, math.Sqrt(5)) || res.Passes != 2 {
		t.Errorf("one example: %+v", res)
	}
}
