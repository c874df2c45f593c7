package learner

import (
	"math"
	"testing"
)

// TestHostileColumns spoils a good state in every way that a file can be wrong though its sums are right.
func TestHostileColumns(t *testing.T) {
	for what, spoil := range map[string]func(m *Model, s *State, names *[]byte){
		"weight not a number":    func(m *Model, _ *State, _ *[]byte) { m.weights[5] = math.NaN() },
		"weight infinite":        func(m *Model, _ *State, _ *[]byte) { m.weights[5] = math.Inf(-1) },
		"bias not a number":      func(_ *Model, s *State, _ *[]byte) { s.Bias = math.NaN() },
		"shared, but no print":   func(m *Model, _ *State, _ *[]byte) { m.prints[63] = shared },
		"collision uncounted":    func(m *Model, _ *State, _ *[]byte) { m.prints[63] = shared | 1 },
		"count not a number":     func(m *Model, _ *State, _ *[]byte) { m.scaler.store(5, moments{math.NaN(), 0, 0}) },
		"count negative":         func(m *Model, _ *State, _ *[]byte) { m.scaler.store(5, moments{-1, 0, 0}) },
		"count over 2^53":        func(m *Model, _ *State, _ *[]byte) { m.scaler.store(5, moments{1e18, 0, 0}) },
		"mean out of range":      func(m *Model, _ *State, _ *[]byte) { m.scaler.store(5, moments{1, 1e300, 0}) },
		"squares out of range":   func(m *Model, _ *State, _ *[]byte) { m.scaler.store(5, moments{1, 0, 1e300}) },
		"squares negative":       func(m *Model, _ *State, _ *[]byte) { m.scaler.store(5, moments{1, 0, -1}) },
		"names cut":              func(_ *Model, _ *State, names *[]byte) { *names = (*names)[:len(*names)-1] },
		"names gone":             func(_ *Model, _ *State, names *[]byte) { *names = nil },
		"number of names":        func(_ *Model, s *State, _ *[]byte) { s.Names++ },
		"number of collisions":   func(_ *Model, s *State, _ *[]byte) { s.Collisions-- },
		"a named slot's print":   func(m *Model, _ *State, _ *[]byte) { m.prints[m.Top(1)[0].Slot] = 0 },
		"nothing (must be fine)": nil,
	} {
		m := newModel(t, "perceptron", ScaleStandard, 6)
		for _, e := range stream(1, 100, 8, 5) {
			step(t, m, e)
		}
		s, names := m.State(), m.names.text
		if spoil != nil {
			spoil(m, &s, &names)
		}
		if err := m.Restore(s, names); (err == nil) != (spoil == nil) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestHostileMaxima(t *testing.T) {
	for _, v := range []float64{-1, math.NaN(), math.Inf(1), 2e30} {
		m := newModel(t, "perceptron", ScaleMaxAbs, 2)
		m.Columns()[2].Float64[1] = v
		if err := m.Restore(State{}, nil); err == nil {
			t.Errorf("a largest magnitude of %v was taken", v)
		}
	}
}

// TestLoweredNameLimit loads a table that is longer than the limit is now: it stays, and does not grow.
func TestLoweredNameLimit(t *testing.T) {
	m := newModel(t, "perceptron", ScaleNone, 6)
	for _, e := range stream(1, 50, 8, 6) {
		step(t, m, e)
	}
	spec := m.Spec()
	spec.MaxNames = 1
	less, err := New(spec)
	if err != nil {
		t.Fatal(err)
	}
	copy(less.Columns()[1].Uint16, m.prints)
	if err := less.Restore(m.State(), m.names.text); err != nil {
		t.Fatal(err)
	}
	less.SetName(40, 1, []byte("one more"))
	if got, want := less.State().Names, m.State().Names; got != want || want < 2 {
		t.Errorf("%d names, want %d", got, want)
	}
}
