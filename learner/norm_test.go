package learner

import (
	"math"
	"testing"
)

// TestNorm compares with the weights listed.
func TestNorm(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		m := fresh()
		if m.Norm() != 0 {
			t.Errorf("an untrained model has the norm %v", m.Norm())
		}
		for _, e := range stream(91, 200, 8, 6) {
			step(t, m, e)
		}
		sum := 0.0
		for _, w := range m.Top(1000) {
			sum += w.Weight * w.Weight
		}
		if got, want := m.Norm(), math.Sqrt(sum); math.Abs(got-want) > 1e-9*want {
			t.Errorf("norm %v, want %v", got, want)
		}
	})
	m := newModel(t, "perceptron", ScaleNone, 2)
	for slot := range uint32(2) {
		if err := m.SetWeight(slot, 1, []byte{'a' + byte(slot)}, []float64{3e29, -4e29}[slot]); err != nil {
			t.Fatal(err)
		}
	}
	if got := m.Norm(); math.Abs(got-5e29) > 1e15 {
		t.Errorf("norm %v, want 5e29", got)
	}
	m.weights[0], m.weights[1] = 3e200, -4e200
	if got := m.Norm(); math.Abs(got-5e200) > 1e186 {
		t.Errorf("norm %v, want 5e200", got)
	}
}

// TestNormOfAClass is that of its own vector; a pair of classes is none's.
func TestNormOfAClass(t *testing.T) {
	for _, scheme := range []string{Direct, OVA, OVO} {
		m := newMulti(t, "perceptron", scheme, ScaleNone, 6)
		for _, e := range classStream(92, 100) {
			multiStep(t, m, nil, e)
		}
		for class := range m.Classes() {
			sum := 0.0
			for _, w := range m.Top(class, 1000) {
				sum += w.Weight * w.Weight
			}
			if scheme == OVO {
				sum = 0
			}
			if got, want := m.Norm(class), math.Sqrt(sum); math.Abs(got-want) > 1e-9*want {
				t.Errorf("%s, class %d: norm %v, want %v", scheme, class, got, want)
			}
		}
	}
}
