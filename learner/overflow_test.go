package learner

import (
	"errors"
	"math"
	"reflect"
	"testing"
)

// TestNothingStopsBeingFinite starts from states with the largest numbers there are, which only a file can hold: each
// example is refused before anything has changed, or learned and all numbers stay finite.
func TestNothingStopsBeingFinite(t *testing.T) {
	const large = math.MaxFloat64
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		for _, start := range [][2]float64{{large, -large}, {-large / 2, large}, {1e249, -1e250}, {1e300, 0},
			{0, 1e251}} {
			m := fresh()
			for _, e := range stream(15, 30, 8, 6) {
				step(t, m, e)
			}
			for i := range m.weights {
				m.weights[i] = start[i%2]
			}
			m.bias = start[1]
			if l, ok := m.method.(*logistic); ok && l.squares != nil {
				l.squares[1] = math.Abs(start[0])
			}
			for i := range 98 {
				v := []float64{1, -1, 1e30, -1e30, 0.5, 1e-30, 1e60, -1e130, 1e153}[i%9]
				x := []Feature{{Slot: uint32(i % 64), Print: 1, Value: v}, {Slot: 1, Print: 1, Value: -v},
					{Slot: 1, Print: 2, Value: v / 3}}
				before := snap(m)
				_, err := m.Predict(x)
				if err == nil {
					_, err = m.Prepare(int8(1-i/2%2*2), []float64{1, MaxValue}[i%2])
				}
				m.Learn()
				if err != nil && !reflect.DeepEqual(before, snap(m)) {
					t.Fatal("an example that was refused changed the model")
				}
				for _, c := range m.Columns() {
					for at, v := range c.Float64 {
						if !finite(v) {
							t.Fatalf("column %s holds %v at %d", c.Name, v, at)
						}
					}
				}
				if !finite(m.bias) {
					t.Fatal("the bias is not finite")
				}
			}
		}
	})
}

// TestLargeGradient: sums of squares keep room for more of their kind.
func TestLargeGradient(t *testing.T) {
	for _, row := range []struct {
		value, squares float64
		refused        bool
	}{{1e119, 0, false}, {1e121, 0, true}, {-1e121, 0, true}, {1, 1e249, false}, {1, 1e251, true}} {
		m := newModel(t, "logistic", ScaleNone, 2)
		m.method.(*logistic).squares[1] = row.squares
		if _, err := m.Predict([]Feature{{Slot: 1, Print: 1, Value: row.value}}); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Prepare(1, 1); errors.Is(err, ErrOverflow) != row.refused {
			t.Errorf("value %v, squares %v: %v", row.value, row.squares, err)
		}
	}
}

// TestLargeStep: the passive-aggressive learners and arow refuse steps that a finite weight might not survive.
func TestLargeStep(t *testing.T) {
	for _, learner := range []string{"pa", "pa1:C=1e30", "pa2:C=1e30", "arow"} {
		for _, row := range []struct {
			bias, value float64
			refused     bool
		}{{1e218, 0, false}, {1e222, 0, learner == "arow"}, {1e251, 0, true}, {1e200, 1e-60, false},
			{math.MaxFloat64 / 2, 0.5, true}} {
			m := newModel(t, learner, ScaleNone, 2)
			m.bias = -row.bias
			if _, err := m.Predict([]Feature{{Slot: 1, Print: 1, Value: row.value}}); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Prepare(1, 1e30); errors.Is(err, ErrOverflow) != (row.refused && learner != "pa1:C=1e30") {
				t.Errorf("%s, bias %v: %v", learner, row.bias, err)
			}
		}
	}
}

// TestTinyGradient: a gradient whose square is 0 divides by nothing.
func TestTinyGradient(t *testing.T) {
	m := newModel(t, "logistic", ScaleNone, 2)
	step(t, m, example{x: []Feature{{Slot: 1, Print: 1, Value: 1e-200}}, label: 1})
	if m.weights[1] != 0 || m.bias != 0.5 {
		t.Errorf("weight %v, bias %v", m.weights[1], m.bias)
	}
}

// TestRawScoreOverflows has a mean whose score is 0 while that of the weights themselves is infinite.
func TestRawScoreOverflows(t *testing.T) {
	m := newModel(t, "averaged:decay=0.9", ScaleNone, 1)
	m.weights[1] = math.MaxFloat64
	m.method.(*averaged).lags[1] = math.MaxFloat64
	if score, err := m.Predict([]Feature{{Slot: 1, Print: 1, Value: 2}}); err != nil || score != 0 {
		t.Fatal(score, err)
	}
	if _, err := m.Prepare(-1, 1); !errors.Is(err, ErrOverflow) {
		t.Errorf("Prepare: %v", err)
	}
}
