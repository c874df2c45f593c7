package learner

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// naive scales the last value of xs by all of them, in two passes; examples are how many there were.
func naive(scale string, xs []float64, examples int) float64 {
	x := xs[len(xs)-1]
	n, sum, distances, squares, most := float64(len(xs)), 0.0, 0.0, 0.0, 0.0
	for _, v := range xs {
		sum += v
		squares += v * v
		most = math.Max(most, math.Abs(v))
	}
	mean := sum / n
	for _, v := range xs {
		distances += (v - mean) * (v - mean)
	}
	usual, everywhere := 2*len(xs) >= examples, len(xs) >= examples
	switch {
	case scale == ScaleMaxAbs && most > 0:
		return x / most
	case scale == ScaleNone:
		return x
	case scale == ScaleMaxAbs || squares == 0:
		return 0
	case distances > 0 && (usual || scale == riverScale):
		return (x - mean) / math.Sqrt(distances/n)
	case scale == riverScale || distances == 0 && everywhere && examples <= 10:
		return 0
	}
	return x / math.Sqrt(squares/n)
}

// TestScaling compares every scaled value with one computed from all values so far. Unlabelled examples between leave
// no trace.
func TestScaling(t *testing.T) {
	for _, scale := range []string{ScaleNone, ScaleStandard, riverScale, ScaleMaxAbs} {
		m := newModel(t, "perceptron", scale, 6)
		seen, examples := make(map[uint32][]float64), 0
		for i, e := range stream(11, 500, 8, 6) {
			if _, err := m.Predict(e.x); err != nil {
				t.Fatal(err)
			}
			for k, f := range e.x {
				want := f.Value
				if f.Kind == Numeric {
					want = naive(scale, append(seen[f.Slot], f.Value), examples+1)
				}
				if got := m.view.x[k].Value; math.Abs(got-want) > 1e-9 {
					t.Fatalf("%s, example %d: slot %d scaled to %v, want %v", scale, i, f.Slot, got, want)
				}
			}
			if i%4 == 0 {
				continue
			}
			step(t, m, e)
			examples++
			for _, f := range e.x {
				if f.Kind == Numeric {
					seen[f.Slot] = append(seen[f.Slot], f.Value)
				}
			}
		}
	}
}

// TestScaleOfConstants has values that never vary, until one differs: with centre=always they are 0, else 1 or -1 from
// the eleventh example on.
func TestScaleOfConstants(t *testing.T) {
	for scale, size := range map[string]float64{ScaleStandard: 1, riverScale: 0, "standard:half-life=500": 1,
		"standard:clip=100": 1} {
		for _, x := range []float64{0.1, -5, 1e-200} {
			m := newScaled(t, scale)
			for i, got := range scales(t, m, slices.Repeat([]float64{x}, 1000)...) {
				if want := math.Copysign(size, x); i < 10 && got != 0 || i >= 10 && got != want && size != 0 {
					t.Fatalf("%s: constant %v, example %d: scaled to %v", scale, x, i+1, got)
				}
			}
		}
	}
	m := newScaled(t, ScaleStandard)
	scales(t, m, slices.Repeat([]float64{0.1}, 1000)...)
	// The one of n+1 that differs is sqrt(n) deviations away.
	if v := scales(t, m, 0.2)[0]; math.Abs(v-math.Sqrt(1000)) > 1e-6 {
		t.Errorf("the first change scaled to %v", v)
	}
	zeros := newModel(t, "perceptron", ScaleMaxAbs, 1)
	step(t, zeros, example{x: []Feature{{Slot: 1, Print: 1}}, label: 1})
	if v := zeros.view.x[0].Value; v != 0 {
		t.Errorf("0 of at most 0 scaled to %v", v)
	}
}

// TestBagOfWords: flags and counts that are sent only where they are set are told apart by every learner, under every
// setting of the scale but River's.
func TestBagOfWords(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 1))
	examples := make([]example, 5000)
	for i := range examples {
		spam := r.IntN(3) == 0
		e := example{label: -1, x: []Feature{{Slot: 1, Print: 1, Value: 1}, {Slot: 2, Print: 2, Value: 1}}}
		if spam {
			e.label, e.x[1] = 1, Feature{Slot: 3, Print: 3, Value: 1}
		}
		for slot := range uint32(50) {
			if r.IntN(10) == 0 {
				e.x = append(e.x, Feature{Slot: slot + 4, Print: uint16(slot) + 4, Value: float64(1 + r.IntN(3))})
			}
		}
		examples[i] = e
	}
	for _, scale := range []string{ScaleStandard, "standard:half-life=100", "standard:clip=5", ScaleMaxAbs} {
		for _, l := range []string{"perceptron", "pa1:C=0.1", "arow", "logistic"} {
			score := run(t, newModel(t, l, scale, 6), examples)
			if score.Mistakes() > 60 {
				t.Errorf("%s, %s: %d mistakes in 5,000", scale, l, score.Mistakes())
			}
		}
	}
	if score := run(t, newModel(t, "perceptron", riverScale, 6), examples); score.Mistakes() < 500 {
		t.Errorf("with %s %d mistakes in 5,000: the test shows nothing", riverScale, score.Mistakes())
	}
}

// TestCrossingTheHalf has a feature from 10 on that is in every example, then in few of them, then in every one: it is
// centred, then over its size, then centred again.
func TestCrossingTheHalf(t *testing.T) {
	for scale, lag := range map[string]int{ScaleStandard: 1000, "standard:half-life=50": 150} {
		m, r := newScaled(t, scale), rand.New(rand.NewPCG(52, 1))
		centred := func(n, every int) (is bool) {
			for i := range n {
				e := example{x: []Feature{{Slot: 2, Print: 2, Value: 1}}, label: 1}
				if i%every == 0 {
					e.x = append(e.x, Feature{Slot: 1, Print: 1, Value: 10 + r.Float64()})
				}
				step(t, m, e)
				if i%every == 0 && i > n-20*every && math.Abs(m.view.x[1].Value-1) > 0.1 {
					is = true
				}
			}
			return is
		}
		for i, got := range []bool{centred(lag, 1), centred(3*lag, 5), centred(6*lag, 1)} {
			if got != (i != 1) {
				t.Errorf("%s: part %d: centred is %v", scale, i, got)
			}
		}
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
