package batch

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// noisy is a set that no line parts: every tenth label is wrong.
func noisy(seed uint64, n int) []Example {
	r := rand.New(rand.NewPCG(seed, 21))
	examples, _ := cloud(r, n, 3, 0.05)
	for i := range examples {
		if i%10 == 0 {
			examples[i].Label *= -1
		}
	}
	return examples
}

func TestBudget(t *testing.T) {
	examples := noisy(1, 100)
	r := train(t, examples, 3, Options{MaxPasses: 7})
	if r.Stopped != Budget || r.Passes != 7 {
		t.Errorf("%+v", r)
	}
	r = train(t, examples, 3, Options{MaxUpdates: 33, Keep: Last})
	made := int64(0)
	for _, k := range r.Counts {
		made += k
	}
	if r.Stopped != Budget || r.Updates != 33 || made != 33 {
		t.Errorf("%d updates by the counts: %+v", made, r)
	}
}

// TestStable: the run ends with the first pass that changes z by no more than the tolerance, and not before.
func TestStable(t *testing.T) {
	for _, o := range []Options{{}, {Algorithm: PLA, Order: Random}, {Algorithm: Dual},
		{Algorithm: Dual, Kernel: rbf(0.01)}} {
		var changes []float64
		o.Until, o.Tolerance, o.MaxPasses, o.Work = Stable, 0.05, 100_000, -1
		o.OnPass = func(p Pass) { changes = append(changes, p.Change) }
		r := train(t, noisy(2, 100), 3, o)
		last := len(changes) - 1
		if r.Stopped != Stable || r.Passes != len(changes) || changes[last] > o.Tolerance {
			t.Errorf("%s, %v: %s after %v", o.Algorithm, o.Kernel, r.Stopped, changes[last])
		}
		if i := slices.IndexFunc(changes, func(c float64) bool { return c <= o.Tolerance }); i != last || last < 2 {
			t.Errorf("%s, %v: pass %d of %d was stable", o.Algorithm, o.Kernel, i, last)
		}
	}
}

// TestChangeIsTheWeights: the change that a dual reports is that of its weights.
func TestChangeIsTheWeights(t *testing.T) {
	var of [2][]Pass
	for i, algorithm := range []string{Primal, Dual} {
		train(t, noisy(3, 50), 3, Options{Algorithm: algorithm, MaxPasses: 20, StartWeights: []float64{1, 2, -3},
			StartBias: 5,
			OnPass:    func(p Pass) { of[i] = append(of[i], p) }})
	}
	for i, p := range of[0] {
		if d := of[1][i]; !near(p.Change, d.Change) || !near(p.Loss, d.Loss) || p.Updates != d.Updates ||
			p.Mistakes != d.Mistakes || p.Change == 0 {
			t.Errorf("primal %+v, dual %+v", p, d)
		}
	}
}

// TestValidation: the run ends Patience passes after the lowest validation error, and keeps the weights that had it.
func TestValidation(t *testing.T) {
	for _, algorithm := range []string{Primal, PLA, Dual} {
		var passes []Pass
		r := train(t, noisy(4, 300), 3, Options{Algorithm: algorithm, Order: Random, Seed: 3, Until: Validation,
			Patience: 4,
			OnPass:   func(p Pass) { passes = append(passes, p) }})
		lowest := slices.MinFunc(passes, func(a, b Pass) int { return a.HeldOutMistakes - b.HeldOutMistakes })
		if r.Stopped != Validation || r.Passes != len(passes) || r.Passes != lowest.Number+4 {
			t.Errorf("%s: %s after pass %d, the lowest error was in %d", algorithm, r.Stopped, r.Passes, lowest.Number)
		}
		if r.HeldOut != 60 || r.Trained != 240 || r.HeldOutMistakes != lowest.HeldOutMistakes ||
			lowest.ValidationError != float64(lowest.HeldOutMistakes)/60 {
			t.Errorf("%s: %+v; lowest %+v", algorithm, r, lowest)
		}
	}
}

// TestHeldOut: examples held out teach nothing, and the seed says which they are.
func TestHeldOut(t *testing.T) {
	examples := noisy(5, 40)
	held := map[uint64][]int{}
	for seed := range uint64(2) {
		order, trained := trainedFirst(HoldOut(len(examples), 0.25, seed))
		if trained != 30 || !slices.IsSorted(order[:trained]) || !slices.IsSorted(order[trained:]) {
			t.Errorf("seed %d: %d, %v", seed, trained, order)
		}
		held[seed] = order[trained:]
		without := slices.Clone(examples)
		for _, i := range held[seed] {
			without[i].Label *= -1
		}
		o := Options{Seed: seed, HeldOut: 0.25, MaxPasses: 5}
		a, b := train(t, examples, 3, o), train(t, without, 3, o)
		if !slices.Equal(a.Weights, b.Weights) || a.Mistakes != b.Mistakes || a.HeldOutMistakes == b.HeldOutMistakes {
			t.Errorf("seed %d: the labels held out were seen: %+v, %+v", seed, a, b)
		}
	}
	if slices.Equal(held[0], held[1]) {
		t.Error("the seed makes no difference")
	}
	if _, trained := trainedFirst(HoldOut(3, 0.1, 0)); trained != 2 {
		t.Errorf("%d of 3 trained on, want one held out", trained)
	}
}

// TestPocket: the least mistakes seen are those of the weights kept, and fewer than the last ones'.
func TestPocket(t *testing.T) {
	fewer := map[int]int{}
	for seed := range uint64(20) {
		for _, n := range []int{100, 400} { // few enough to try all weights, and too many
			examples := noisy(seed, n)
			o := Options{Order: Random, Algorithm: []string{Primal, PLA, Dual}[seed%3], Seed: seed, MaxPasses: 10,
				Work: -1}
			least := math.MaxInt
			o.OnPass = func(p Pass) { least = min(least, p.Mistakes) }
			best := train(t, examples, 3, o)
			o.Keep = Last
			last := train(t, examples, 3, o)
			wrong := 0
			for _, e := range examples {
				if (best.Score(e.X) >= 0) != (e.Label > 0) {
					wrong++
				}
			}
			if best.Mistakes != wrong || best.Mistakes != best.Pocket.Mistakes || best.Pocket.Mistakes > least ||
				best.Mistakes > last.Mistakes {
				t.Errorf("seed %d: %d mistakes counted of %+v", seed, wrong, best)
			}
			if best.Mistakes < least {
				fewer[n]++
			}
		}
	}
	if fewer[100] < 10 || fewer[400] < 3 {
		t.Errorf("of 20 times each, so often did the snapshot hold less than the ends of passes: %v", fewer)
	}
}

func TestBadExamples(t *testing.T) {
	good, _ := and()
	for name, e := range map[string]Example{
		"label":    {Label: 0},
		"index":    {Label: 1, X: []Term{{2, 1}}},
		"negative": {Label: 1, X: []Term{{-1, 1}}},
		"nan":      {Label: 1, X: []Term{{0, math.NaN()}}},
		"infinite": {Label: 1, X: []Term{{0, math.Inf(-1)}}},
		"large":    {Label: 1, X: []Term{{0, 1.1e30}}},
	} {
		_, err := Train(append(slices.Clone(good), e), 2, Options{})
		if !errors.Is(err, ErrExample) || err.Error()[:9] != "example 4" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Train(nil, 2, Options{}); !errors.Is(err, ErrNoExamples) {
		t.Errorf("none: %v", err)
	}
	if _, err := Train(good, 2, Options{StartWeights: []float64{1}}); err == nil {
		t.Error("one start weight for two dimensions")
	}
	if _, err := Train(good, 2, Options{StartBias: math.NaN()}); err == nil {
		t.Error("a start bias of NaN")
	}
}
