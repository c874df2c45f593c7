package learner

import (
	"math"
	"slices"
	"strings"
	"sync"
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

// TestHostileTables spoils what the learners keep of each slot.
func TestHostileTables(t *testing.T) {
	for learner, spoils := range map[string][]func(m *Model, s *State){
		"arow": {
			func(m *Model, _ *State) { m.Columns()[2].Float64[3] = -1e-9 },
			func(m *Model, _ *State) { m.Columns()[2].Float64[64] = 1.1 },
			func(m *Model, _ *State) { m.Columns()[2].Float64[0] = math.NaN() },
		},
		"logistic:l1=1": {
			func(m *Model, _ *State) { m.Columns()[2].Float64[3] = -1 },
			func(m *Model, _ *State) { m.Columns()[2].Float64[64] = math.Inf(1) },
			func(m *Model, s *State) { m.Columns()[3].Float64[63] = s.Clock + 1 },
			func(_ *Model, s *State) { s.Clock = math.NaN() },
			func(_ *Model, s *State) { s.Time = -1 },
			func(_ *Model, s *State) { s.Time = 1 << 60 },
		},
		"perceptron:l2=1": {
			func(m *Model, s *State) { m.Columns()[2].Float64[63] = -1 },
			func(m *Model, s *State) { s.Clock = 1 }, // the stamps are from later
		},
		"averaged": {
			func(m *Model, _ *State) { m.Columns()[2].Float64[3] = math.NaN() },
			func(m *Model, _ *State) { m.Columns()[2].Float64[64] = 1e300 },
		},
		"averaged:decay=0.9": {
			func(m *Model, s *State) { m.Columns()[3].Float64[5] = float64(s.Time + 1) },
			func(m *Model, _ *State) { m.Columns()[3].Float64[5] = 1.5 },
			func(m *Model, _ *State) { m.Columns()[3].Float64[5] = -1 },
		},
		"averaged:window=10": {
			func(m *Model, s *State) { m.Columns()[3].Float64[5] = float64(s.Time/5 + 1) },
			func(m *Model, _ *State) { m.Columns()[4].Float64[64] = math.Inf(-1) },
		},
	} {
		for i, spoil := range append(spoils, nil) {
			m := newModel(t, learner, ScaleNone, 6)
			for _, e := range stream(1, 100, 8, 5) {
				step(t, m, e)
			}
			s, names := m.State(), m.names.text
			if spoil != nil {
				spoil(m, &s)
			}
			if err := m.Restore(s, names); (err == nil) != (spoil == nil) {
				t.Errorf("%s, %d: %v", learner, i, err)
			}
		}
	}
}

// TestColumnNames fixes the names in checkpoints. The perceptron's are those that it has always had; a window or
// decay is in the names, for its sums mean nothing to another.
func TestColumnNames(t *testing.T) {
	for learner, want := range map[string]string{
		"perceptron":           "weights prints moments names",
		"perceptron:decay=1":   "weights prints moments names",
		"perceptron:l1=1":      "weights prints moments pulled names",
		"pa":                   "weights prints moments names",
		"averaged":             "weights prints moments lags names",
		"averaged:window=100":  "weights prints moments lags-window-100 stamps-window-100 before-window-100 names",
		"averaged:decay=0.999": "weights prints moments lags-decay-0.999 stamps-decay-0.999 names",
		"arow":                 "weights prints moments variances names",
		"logistic:l2=1":        "weights prints moments squares pulled names",
		"dual":                 "prints moments names kept mistakes",
	} {
		var names []string
		for _, c := range newModel(t, learner, ScaleStandard, 4).Columns() {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", learner, got, want)
		}
	}
}

// TestCopyIsReadByMany asks one copy from several goroutines at once: run with -race.
func TestCopyIsReadByMany(t *testing.T) {
	for _, learner := range everyLearner {
		m, dst := newModel(t, learner, ScaleStandard, 6), new(Model)
		examples := stream(24, 40, 8, 6)
		for _, e := range examples {
			step(t, m, e)
		}
		m.CopyTo(dst)
		want := dst.Top(5)
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() {
				dst.Explain(examples[0].x)
				dst.Columns()
				if !slices.Equal(dst.Top(5), want) {
					t.Errorf("%s: other weights", learner)
				}
			})
		}
		step(t, m, examples[1])
		wait.Wait()
	}
}
