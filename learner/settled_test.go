package learner

import (
	"math"
	"slices"
	"testing"
)

// TestSettled: by the statistics as they are an example counts once, as the definition has it, over the examples
// learned, in two passes. Words and plain values stay.
func TestSettled(t *testing.T) {
	for _, scale := range []string{ScaleNone, ScaleStandard, riverScale, ScaleMaxAbs} {
		m := newModel(t, "perceptron", scale, 6)
		seen, examples := map[uint32][]float64{}, stream(5, 300, 8, 6)
		for _, e := range examples {
			if _, err := m.Predict(e.x); err != nil {
				t.Fatal(err)
			}
			step(t, m, e)
			for _, f := range e.x {
				if f.Kind == Numeric {
					seen[f.Slot] = append(seen[f.Slot], f.Value)
				}
			}
		}
		for i, e := range examples {
			for k, got := range m.Settled(e.x) {
				f := e.x[k]
				want := f.Value
				if f.Kind == Numeric && scale != ScaleNone {
					want = naive(scale, lastIs(f.Value, seen[f.Slot]), len(examples))
				}
				if math.Abs(got-want) > 1e-9 {
					t.Fatalf("%s, example %d: slot %d is %v, want %v", scale, i, f.Slot, got, want)
				}
			}
		}
	}
}

// lastIs returns values with one of them last.
func lastIs(x float64, values []float64) []float64 {
	i := slices.Index(values, x)
	return append(slices.Delete(slices.Clone(values), i, i+1), x)
}

// TestSettledClip: a value far out is at most so many deviations away, also while it is the only one that differs.
func TestSettledClip(t *testing.T) {
	var s Spec
	if err := ParseScale("standard:clip=3", &s); err != nil {
		t.Fatal(err)
	}
	z := newStandardizer(s)
	m := moments{}
	for _, c := range []struct{ x, at, want float64 }{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}, {1, 1, 0}, {9, 9, 2},
		{-9, 9, 3}} {
		m, _ = z.next(m, c.x, everything)
		got := z.settled(m, c.at, everything)
		if c.x == -9 { // now there is a deviation
			if got < 1 || got > 3 || z.settled(m, 1e9, everything) != 3 || z.settled(m, -1e9, everything) != -3 {
				t.Errorf("%v, %v, %v", got, z.settled(m, 1e9, everything), z.settled(m, -1e9, everything))
			}
			continue
		}
		if got != c.want {
			t.Errorf("%v by %+v is %v, want %v", c.at, m, got, c.want)
		}
	}
}
