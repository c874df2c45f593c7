package learner

import (
	"math"
	"testing"
)

// naive scales the last value of xs by all of them, in two passes.
func naive(scale string, xs []float64) float64 {
	x := xs[len(xs)-1]
	sum, squares, most := 0.0, 0.0, 0.0
	for _, v := range xs {
		sum += v
		most = math.Max(most, math.Abs(v))
	}
	mean := sum / float64(len(xs))
	for _, v := range xs {
		squares += (v - mean) * (v - mean)
	}
	switch {
	case scale == ScaleMaxAbs && most > 0:
		return x / most
	case scale == ScaleStandard && squares > 0:
		return (x - mean) / math.Sqrt(squares/float64(len(xs)))
	case scale == ScaleNone:
		return x
	}
	return 0
}

// TestScaling compares every scaled value with one computed from all values so far. Unlabelled examples between leave
// no trace.
func TestScaling(t *testing.T) {
	for _, scale := range []string{ScaleNone, ScaleStandard, ScaleMaxAbs} {
		m := newModel(t, "perceptron", scale, 6)
		seen := make(map[uint32][]float64)
		for i, e := range stream(11, 500, 8, 6) {
			if _, err := m.Predict(e.x); err != nil {
				t.Fatal(err)
			}
			for k, f := range e.x {
				want := f.Value
				if f.Kind == Numeric {
					want = naive(scale, append(seen[f.Slot], f.Value))
				}
				if got := m.view.x[k].Value; math.Abs(got-want) > 1e-9 {
					t.Fatalf("%s, example %d: slot %d scaled to %v, want %v", scale, i, f.Slot, got, want)
				}
			}
			if i%4 == 0 {
				continue
			}
			step(t, m, e)
			for _, f := range e.x {
				if f.Kind == Numeric {
					seen[f.Slot] = append(seen[f.Slot], f.Value)
				}
			}
		}
	}
}

// TestScaleOfConstants has values that never vary: they say nothing and scale to 0, until one differs.
func TestScaleOfConstants(t *testing.T) {
	m := newModel(t, "perceptron", ScaleStandard, 1)
	for range 1000 {
		step(t, m, example{x: []Feature{{Slot: 1, Print: 1, Value: 0.1}}, label: 1})
		if v := m.view.x[0].Value; v != 0 {
			t.Fatalf("a constant scaled to %v", v)
		}
	}
	step(t, m, example{x: []Feature{{Slot: 1, Print: 1, Value: 0.2}}, label: 1})
	// The one of n+1 that differs is sqrt(n) deviations away.
	if v := m.view.x[0].Value; math.Abs(v-math.Sqrt(1000)) > 1e-6 {
		t.Errorf("the first change scaled to %v", v)
	}
	zeros := newModel(t, "perceptron", ScaleMaxAbs, 1)
	step(t, zeros, example{x: []Feature{{Slot: 1, Print: 1}}, label: 1})
	if v := zeros.view.x[0].Value; v != 0 {
		t.Errorf("0 of at most 0 scaled to %v", v)
	}
}

// TestStagedIsCommitted compares the statistics a model keeps with values added one by one, to the bit, slots met
// twice in an example included.
func TestStagedIsCommitted(t *testing.T) {
	m := newModel(t, "perceptron", ScaleStandard, 4)
	var want [16]moments
	for _, e := range stream(12, 300, 8, 4) {
		step(t, m, e)
		for _, f := range e.x {
			if f.Kind == Numeric {
				want[f.Slot] = want[f.Slot].with(f.Value)
			}
		}
	}
	for slot := range want {
		if got := m.scaler.load(uint32(slot)); got != want[slot] {
			t.Errorf("slot %d: %v, want %v", slot, got, want[slot])
		}
	}
}
