package learner

import (
	"errors"
	"math"
	"testing"
)

// TestKeepIsLearning: a dual that is given what another one kept scores like it, to the bit.
func TestKeepIsLearning(t *testing.T) {
	for _, name := range []string{"dual", "dual:kernel=poly,degree=3", "dual:kernel=rbf,gamma=0.5",
		"dual:rate=0.5,threshold=2"} {
		taught, given := newModel(t, name, ScaleNone, 2), newModel(t, name, ScaleNone, 2)
		points := []struct {
			a, b  float64
			label int8
		}{{0, 0, -1}, {0, 1, 1}, {1, 0, 1}, {1, 1, -1}}
		x := func(i int) []Feature {
			return []Feature{{Slot: 1, Print: 1, Value: points[i].a}, {Slot: 2, Print: 2, Value: points[i].b}}
		}
		counts := make([]float64, len(points))
		var order []int
		for pass := range 6 {
			for i, p := range points {
				if _, err := taught.Predict(x(i)); err != nil {
					t.Fatal(err)
				}
				updated, err := taught.Prepare(p.label, 1)
				if err != nil {
					t.Fatal(err)
				}
				if taught.Learn(); updated {
					if counts[i] == 0 {
						order = append(order, i)
					}
					counts[i]++
				}
			}
			if pass == 0 && len(order) == 0 {
				t.Fatal("nothing was learned")
			}
		}
		for _, i := range order {
			if err := given.Keep(x(i), points[i].label, counts[i]); err != nil {
				t.Fatal(err)
			}
		}
		for i := range points {
			want, err1 := taught.Predict(x(i))
			got, err2 := given.Predict(x(i))
			if err1 != nil || err2 != nil || got != want || given.Bias() != taught.Bias() {
				t.Errorf("%s: example %d scores %v, want %v (%v, %v)", name, i, got, want, err1, err2)
			}
		}
	}
}

func TestKeepRefuses(t *testing.T) {
	x := []Feature{{Slot: 1, Print: 1, Value: 2}}
	if newModel(t, "perceptron", ScaleNone, 2).Keep(x, 1, 1) == nil {
		t.Error("a perceptron keeps an example")
	}
	m := newModel(t, "dual:budget=1,kernel=poly,degree=9", ScaleNone, 2)
	for _, c := range []struct {
		x     []Feature
		label int8
		count float64
	}{{x, 0, 1}, {x, 1, 0}, {x, 1, math.NaN()}, {x, 1, 2e30}, {[]Feature{{Slot: 4, Value: 1}}, 1, 1},
		{[]Feature{{Value: math.Inf(1)}}, 1, 1}} {
		if err := m.Keep(c.x, c.label, c.count); err == nil {
			t.Errorf("%+v is kept", c)
		}
	}
	if err := m.Keep([]Feature{{Value: 1e300}}, 1, 1); !errors.Is(err, ErrOverflow) {
		t.Errorf("%v, want %v", err, ErrOverflow)
	}
	if err := m.Keep(x, 1, 1); err != nil {
		t.Error(err)
	}
	if err := m.Keep(x, 1, 2); err != nil {
		t.Errorf("the same example again: %v", err)
	}
	if m.Keep([]Feature{{Slot: 2, Value: 1}}, 1, 1) == nil {
		t.Error("more than the budget is kept")
	}
	if s, err := m.Predict(x); err != nil || s != 3*(math.Pow(5, 9)+1) {
		t.Errorf("score %v, %v, want %v", s, err, 3*(math.Pow(5, 9)+1))
	}
}
