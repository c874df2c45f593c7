package learner

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestNovikoff cycles through linearly separable sets until a whole pass is without an update, and holds mistakes and
// updates against the bound (R/γ)² (Novikoff 1962): R is the largest ‖(x, 1)‖, γ the margin of a known separator
// (w, b) of norm 1. The bound holds for any order, any rate and any number of passes.
func TestNovikoff(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		examples, margin := separable(r)
		learner := []string{"perceptron", "perceptron:rate=0.1", "perceptron:update=mistake", "dual"}[seed%4]
		m := newModel(t, learner, ScaleNone, 4)
		mistakes, updates, norm := converge(t, m, examples)
		bound := norm / (margin * margin)
		if float64(mistakes) > bound || float64(updates) > bound {
			t.Errorf("seed %d, %s: %d mistakes and %d updates, bound %v", seed, learner, mistakes, updates, bound)
		}
		if updates < mistakes {
			t.Errorf("seed %d, %s: %d mistakes, only %d updates", seed, learner, mistakes, updates)
		}
	}
}

// TestNovikoffIsTight: on points along n axes, r from the origin, with labels in turn, every example is a mistake until
// all were learned, and none is then. The separator with a weight of ±1 for each axis has the margin r/√n, so
// (R/γ)² is n(1+1/r²): a bound that is any smaller, or a margin that is taken for wider, does not hold.
func TestNovikoffIsTight(t *testing.T) {
	const n, r = 14, 10.0
	var examples []example
	for i := range uint32(n) {
		examples = append(examples, example{[]Feature{{Slot: i, Print: 1, Value: r}}, int8(2*(i%2)) - 1})
	}
	for _, learner := range []string{"perceptron", "perceptron:rate=0.1", "perceptron:update=mistake", "dual"} {
		mistakes, updates, norm := converge(t, newModel(t, learner, ScaleNone, 4), examples)
		bound := norm / (r * r / n)
		if float64(updates) > bound || float64(updates) < 0.98*bound || mistakes > updates || mistakes < n/2 {
			t.Errorf("%s: %d mistakes and %d updates, bound %v", learner, mistakes, updates, bound)
		}
	}
}

// separable makes a set of points that a random separator, itself of norm 1, parts with the margin returned.
func separable(r *rand.Rand) (examples []example, margin float64) {
	dimensions := 2 + r.IntN(8)
	least := 0.02 + 0.2*r.Float64()
	separator := make([]float64, dimensions+1)
	norm := 0.0
	for i := range separator {
		separator[i] = r.NormFloat64()
		norm += separator[i] * separator[i]
	}
	margin = math.Inf(1)
	for len(examples) < 50 {
		e := example{}
		s := separator[dimensions]
		for i := range dimensions {
			v := 2*r.Float64() - 1
			e.x = append(e.x, Feature{Slot: uint32(i), Print: 1, Value: v})
			s += separator[i] * v
		}
		s /= math.Sqrt(norm)
		if e.label = Sign(s); math.Abs(s) >= least {
			examples = append(examples, e)
			margin = min(margin, math.Abs(s))
		}
	}
	return examples, margin
}

// converge learns until a whole pass needs no update, and returns the largest squared norm too.
func converge(t *testing.T, m *Model, examples []example) (mistakes, updates int64, norm float64) {
	for pass := 0; ; pass++ {
		if pass == 100_000 {
			t.Fatal("no end in sight")
		}
		s := run(t, m, examples)
		mistakes, updates = mistakes+s.Mistakes(), updates+s.Updates()
		if s.Updates() == 0 {
			r := s.Report().R
			return mistakes, updates, r * r
		}
	}
}
