package learner

import (
	"math"
	"strings"
	"testing"
)

// withoutBias appends bias=0 to a learner's parameters.
func withoutBias(learner string) string {
	if strings.Contains(learner, ":") {
		return learner + ",bias=0"
	}
	return learner + ":bias=0"
}

// TestBiasIsAFeature: without a bias, and with a feature that is always 1, a learner does what it does with a bias. An
// exception are weights that shrink, and kernels for which that feature is not just added to the score.
func TestBiasIsAFeature(t *testing.T) {
	for _, learner := range everyLearner {
		if strings.Contains(learner, "l1=") || strings.Contains(learner, "l2=") ||
			strings.Contains(learner, "kernel=") {
			continue
		}
		with, without := newModel(t, learner, ScaleNone, 6), newModel(t, withoutBias(learner), ScaleNone, 6)
		for i, e := range stream(71, 300, 5, 5) {
			a := math.Float64frombits(step(t, with, e))
			e.x = append(e.x, Feature{Slot: 63, Print: 1, Value: 1, Kind: Indicator})
			b := math.Float64frombits(step(t, without, e))
			if math.Abs(a-b) > 1e-9*(1+math.Abs(a)) {
				t.Fatalf("%s, example %d: scores %v and %v", learner, i, a, b)
			}
		}
		if without.Bias() != 0 || with.SquaredNorm() != without.SquaredNorm() {
			t.Errorf("%s: bias %v, norms %v and %v", learner, without.Bias(), with.SquaredNorm(), without.SquaredNorm())
		}
	}
}

// TestNoBias: without one scores turn with the sign of x, and of an example without values nothing is learned.
func TestNoBias(t *testing.T) {
	for _, learner := range everyLearner {
		m := newModel(t, withoutBias(learner), ScaleNone, 6)
		for _, e := range stream(72, 100, 5, 6) {
			step(t, m, e)
		}
		for _, x := range [][]Feature{nil, {{Slot: 1, Print: 1}}} {
			score, err := m.Predict(x)
			if err != nil || m.spec.linear() && score != 0 {
				t.Errorf("%s: score %v, %v", learner, score, err)
			}
			if updated, err := m.Prepare(-1, 1); err != nil || updated && m.spec.linear() {
				t.Errorf("%s: an example without values updates: %v, %v", learner, updated, err)
			}
			m.Learn()
		}
		if m.Bias() != 0 || m.SetBias(0) != nil || m.SetBias(1) == nil {
			t.Errorf("%s: bias %v", learner, m.Bias())
		}
		if !strings.Contains(m.Spec().String(), "bias=0") {
			t.Error(m.Spec())
		}
	}
}

// TestClassesWithoutBias: the same of several classes.
func TestClassesWithoutBias(t *testing.T) {
	everyMulti(t, func(t *testing.T, fresh func() *Multi) {
		spec := fresh().Spec()
		spec.Bias = BiasOff
		m, err := NewMulti(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range classStream(73, 100) {
			multiStep(t, m, nil, e)
		}
		if _, _, err := m.Predict(nil); err != nil {
			t.Fatal(err)
		}
		if updated, err := m.Prepare([]byte("a"), 1); err != nil || m.spec.linear() && (updated || m.Steps() != 0) {
			t.Errorf("an example without values updates: %v, %v", updated, err)
		}
		m.Learn()
		for class := range m.Classes() {
			if m.Bias(class) != 0 {
				t.Errorf("the bias of class %d is %v", class, m.Bias(class))
			}
		}
	})
}
