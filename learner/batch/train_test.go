package batch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"rosenblatt/learner"
)

// TestWorkedExamples holds the textbook cases against what was worked out by hand.
func TestWorkedExamples(t *testing.T) {
	for _, c := range []struct {
		name    string
		set     func() ([]Example, int)
		weights []float64
		bias    float64
		counts  []int64
		passes  int
		margin  float64 // of the separator found
		widest  float64
		r       float64
	}{
		{"three", three, []float64{1, 1}, -3, []int64{2, 0, 5}, 6, 1 / math.Sqrt(11), math.Sqrt2 / 3, math.Sqrt(26)},
		{"and", and, []float64{3, 2}, -4, []int64{2, 5, 4, 7}, 9, 1 / math.Sqrt(29), 1 / math.Sqrt(17), math.Sqrt(3)},
		{"or", or, []float64{2, 2}, -1, []int64{5, 2, 2, 0}, 6, 1.0 / 3, 1.0 / 3, math.Sqrt(3)},
	} {
		for _, algorithm := range []string{Primal, PLA, Dual} {
			examples, dimensions := c.set()
			r := train(t, examples, dimensions, Options{Algorithm: algorithm})
			if r.Stopped != Separated || !r.Separated || r.Mistakes != 0 || r.Loss != 0 || r.Passes != c.passes {
				t.Errorf("%s, %s: %+v", c.name, algorithm, r)
			}
			if !slices.Equal(r.Weights, c.weights) || r.Bias != c.bias || !slices.Equal(r.Counts, c.counts) {
				t.Errorf("%s, %s: w %v, b %v, counts %v", c.name, algorithm, r.Weights, r.Bias, r.Counts)
			}
			if !near(r.Margin, c.margin) || !near(r.R, c.r) || !near(r.Bound, c.r*c.r/c.margin/c.margin) ||
				r.UpdateBound != r.Bound {
				t.Errorf("%s, %s: margin %v, R %v, bounds %v and %v", c.name, algorithm, r.Margin, r.R, r.Bound,
					r.UpdateBound)
			}
			m := r.Maximal
			if !m.Solved || m.Lower > c.widest*(1+1e-12) || m.Upper < c.widest*(1-1e-12) ||
				m.Upper-m.Lower > 2e-6*m.Upper {
				t.Errorf("%s, %s: maximal margin %+v, want %v", c.name, algorithm, m, c.widest)
			}
			if float64(r.Updates) > r.Bound || r.Pocket.Mistakes != 0 {
				t.Errorf("%s, %s: %d updates, bound %v; %+v", c.name, algorithm, r.Updates, r.Bound, r.Pocket)
			}
		}
	}
}

// TestXOR: no line parts it, and the margin's upper bound says so; the kernels do.
func TestXOR(t *testing.T) {
	examples, dimensions := xor()
	for _, algorithm := range []string{Primal, PLA, Dual} {
		for _, order := range []string{Cyclic, Random} {
			r := train(t, examples, dimensions, Options{Algorithm: algorithm, Order: order, MaxPasses: 50})
			if r.Separated || r.Stopped != Budget || r.Passes != 50 || r.Margin != 0 || r.Bound != 0 {
				t.Errorf("%s, %s: %+v", algorithm, order, r)
			}
			if r.Maximal.Lower != 0 || r.Maximal.Upper > Negligible*r.R || r.Maximal.Solved {
				t.Errorf("%s, %s: a separator of margin %+v", algorithm, order, r.Maximal)
			}
			if want := map[string]int{Cyclic: 2, Random: 1}[order]; r.Mistakes != want || r.Pocket.Mistakes != want {
				t.Errorf("%s, %s: %d mistakes kept, %d the least, want %d", algorithm, order, r.Mistakes,
					r.Pocket.Mistakes, want)
			}
		}
	}
	for _, k := range []learner.Kernel{poly(2, 1), poly(3, 0.5),
		rbf(0.5)} {
		r := train(t, examples, dimensions, Options{Algorithm: Dual, Kernel: k})
		if !r.Separated || r.Stopped != Separated || r.Weights != nil || !r.Maximal.Solved ||
			float64(r.Updates) > r.Bound {
			t.Errorf("%v: %+v", k, r)
		}
		for i, e := range examples {
			if s := r.Score(e.X); s*float64(e.Label) <= 0 {
				t.Errorf("%v: example %d scores %v", k, i, s)
			}
		}
	}
}

// TestPassAsWritten compares whole runs with the algorithm written down in the plainest way.
func TestPassAsWritten(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		examples, _ := cloud(r, 30, 4, 0)
		for i := range examples {
			if r.IntN(10) == 0 {
				examples[i].Label *= -1 // noise
			}
		}
		const passes = 7
		w, b, updates := plainPLA(examples, 4, 0.25, 0.5, passes)
		got := train(t, examples, 4, Options{Algorithm: PLA, Rate: 0.25, Threshold: 0.5, MaxPasses: passes,
			Until: Budget, Keep: Last})
		if !slices.Equal(got.Weights, w) || got.Bias != b || got.Updates != updates {
			t.Fatalf("seed %d: w %v, b %v, %d updates, want %v, %v, %d", seed, got.Weights, got.Bias, got.Updates, w, b,
				updates)
		}
		for i, e := range examples {
			s := b
			for _, x := range e.X {
				s += w[x.Index] * x.Value
			}
			if !near(got.Score(e.X), s) {
				t.Fatalf("seed %d: example %d scores %v, want %v", seed, i, got.Score(e.X), s)
			}
		}
	}
}

// plainPLA uses neither padding nor pre-multiplication.
func plainPLA(examples []Example, dimensions int, rate, threshold float64, passes int) (w []float64, b float64,
	updates int64) {
	w = make([]float64, dimensions)
	for range passes {
		for _, e := range examples {
			y, s := float64(e.Label), 0.0
			for _, x := range e.X {
				s += float64(w[x.Index] * x.Value)
			}
			if y*(s+b) > threshold {
				continue
			}
			for _, x := range e.X {
				w[x.Index] += float64(y * rate * x.Value)
			}
			b += y * rate
			updates++
		}
	}
	return w, b, updates
}

// TestSameBits: the same call twice is the same result, and another seed is another one.
func TestSameBits(t *testing.T) {
	examples, _ := cloud(rand.New(rand.NewPCG(1, 1)), 60, 5, 0.01)
	for _, o := range []Options{
		{Algorithm: Primal, Order: Random}, {Algorithm: PLA, Order: Random}, {Algorithm: Dual, Order: Random},
		{Algorithm: Dual, Order: Random, Kernel: rbf(0), HeldOut: 0.3},
	} {
		o.Seed = 4
		a, b := train(t, examples, 5, o), train(t, examples, 5, o)
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%+v: two results\n%+v\n%+v", o, a, b)
		}
		o.Seed = 5
		if c := train(t, examples, 5, o); slices.Equal(a.Counts, c.Counts) {
			t.Errorf("%+v: the seed makes no difference", o)
		}
	}
}

// TestPicking: in random order each mistaken example has the same chance. At the start with weights 0 all are mistaken.
func TestPicking(t *testing.T) {
	examples, dimensions := and()
	first := make([]int, len(examples))
	const trials = 4000
	for seed := range uint64(trials) {
		r := train(t, examples, dimensions, Options{Order: Random, Seed: seed, MaxUpdates: 1, Keep: Last, Work: -1})
		first[slices.Index(r.Counts, 1)]++
	}
	for i, n := range first {
		// A fair choice is within five standard deviations, of which each is the root of 4000·1/4·3/4.
		if math.Abs(float64(n)-trials/4) > 5*27.4 {
			t.Errorf("example %d was picked %d times of %d: %v", i, n, trials, first)
		}
	}
}

func ExampleTrain() {
	// The points (3,3) and (4,3) on one side, (1,1) on the other.
	examples := []Example{
		{X: []Term{{0, 3}, {1, 3}}, Label: 1},
		{X: []Term{{0, 4}, {1, 3}}, Label: 1},
		{X: []Term{{0, 1}, {1, 1}}, Label: -1},
	}
	r, err := Train(examples, 2, Options{Algorithm: Dual, OnPass: func(p Pass) {
		fmt.Printf("pass %d: %d updates, %d mistakes, loss %g\n", p.Number, p.Updates, p.Mistakes, p.Loss)
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("stopped:", r.Stopped)
	fmt.Println("counts", r.Counts, "w", r.Weights, "b", r.Bias)
	fmt.Printf("R %.4f, margin %.4f, at most %.0f updates, made %d\n", r.R, r.Margin, r.Bound, r.Updates)
	fmt.Printf("the widest margin is %.4f, which allows %.0f\n", r.Maximal.Lower,
		math.Floor(r.R*r.R/r.Maximal.Upper/r.Maximal.Upper))
	// Output:
	// pass 1: 2 updates, 1 mistakes, loss 4
	// pass 2: 1 updates, 1 mistakes, loss 1
	// pass 3: 1 updates, 2 mistakes, loss 4
	// pass 4: 2 updates, 1 mistakes, loss 2
	// pass 5: 1 updates, 0 mistakes, loss 0
	// pass 6: 0 updates, 0 mistakes, loss 0
	// stopped: separated
	// counts [2 0 5] w [1 1] b -3
	// R 5.0990, margin 0.3015, at most 286 updates, made 7
	// the widest margin is 0.4714, which allows 117
}
