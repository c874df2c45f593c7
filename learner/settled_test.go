package learner

import (
	"math"
	"testing"
)

// TestSettled: by the statistics as they are an example counts once, as the definition has it: (x - mean)/deviation
// over the examples learned, in two passes; x/max|x|. Words and plain values stay.
func TestSettled(t *testing.T) {
	for _, scale := range []string{ScaleNone, ScaleStandard, ScaleMaxAbs} {
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
					want = ofAll(scale, f.Value, seen[f.Slot])
				}
				if math.Abs(got-want) > 1e-9 {
					t.Fatalf("%s, example %d: slot %d is %v, want %v", scale, i, f.Slot, got, want)
				}
			}
		}
	}
}

// ofAll scales a value by all of them.
func ofAll(scale string, x float64, all []float64) float64 {
	sum, squares, most := 0.0, 0.0, 0.0
	for _, v := range all {
		sum += v
		most = math.Max(most, math.Abs(v))
	}
	mean := sum / float64(len(all))
	for _, v := range all {
		squares += (v - mean) * (v - mean)
	}
	switch {
	case scale == ScaleMaxAbs && most > 0:
		return x / most
	case scale == ScaleStandard && squares > 0:
		return (x - mean) / math.Sqrt(squares/float64(len(all)))
	}
	return 0
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
		m, _ = z.next(m, c.x)
		got := z.settled(m, c.at)
		if c.x == -9 { // now there is a deviation
			if got < 1 || got > 3 || z.settled(m, 1e9) != 3 || z.settled(m, -1e9) != -3 {
				t.Errorf("%v, %v, %v", got, z.settled(m, 1e9), z.settled(m, -1e9))
			}
			continue
		}
		if got != c.want {
			t.Errorf("%v by %+v is %v, want %v", c.at, m, got, c.want)
		}
	}
}
