package learner

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// seldomStream has a usual feature, one that few examples have, a constant one and a word.
func seldomStream(n int) (out []example) {
	r := rand.New(rand.NewPCG(7, 7))
	for range n {
		e := example{label: 1, x: []Feature{{Slot: 1, Print: 1, Value: 100 + r.NormFloat64()},
			{Slot: 3, Print: 3, Value: 4},
			{Slot: 4 + uint32(r.IntN(3)), Print: 4, Value: 1, Kind: Indicator}}}
		if r.IntN(5) == 0 {
			e.x = append(e.x, Feature{Slot: 2, Print: 2, Value: 20 + r.Float64()})
		}
		if e.x[0].Value < 100 {
			e.label = -1
		}
		out = append(out, e)
	}
	return out
}

// TestScalingOf: by weights, bias and scaling a model is made again that scores as the first one, and whoever takes a
// value into the statistics first scales as a score does.
func TestScalingOf(t *testing.T) {
	for _, scale := range []string{ScaleNone, ScaleStandard, riverScale, ScaleMaxAbs, "standard:clip=9"} {
		m := newModel(t, "logistic", scale, 4)
		examples := seldomStream(3000)
		for _, e := range examples[:2500] {
			step(t, m, e)
		}
		other := newModel(t, "logistic", scale, 4)
		scaled := 0
		if scale != ScaleNone {
			if err := other.SetScaledExamples(m.ScaledExamples()); err != nil {
				t.Fatal(err)
			}
		}
		for _, w := range m.Top(100) {
			if err := other.SetWeight(w.Slot, m.prints[w.Slot]&printMask, []byte(w.Name), w.Weight); err != nil {
				t.Fatal(err)
			}
			s, is := m.ScalingOf(w.Slot)
			if !is {
				continue
			}
			scaled++
			if err := other.SetScaling(w.Slot, []byte(w.Name), s); err != nil {
				t.Fatal(err)
			}
		}
		if want := map[bool]int{true: 0, false: 3}[scale == ScaleNone]; scaled > want || scaled < want-1 {
			t.Errorf("%s: %d features are scaled", scale, scaled) // with centre=always a constant has no weight
		}
		if s, _ := m.ScalingOf(2); s.Sized != (scale != ScaleNone && scale != riverScale) {
			t.Errorf("%s: a feature of one example in five: %+v", scale, s)
		}
		if err := other.SetBias(m.Bias()); err != nil {
			t.Fatal(err)
		}
		for _, e := range examples[2500:] {
			a, err := m.Predict(e.x)
			b, err2 := other.Predict(e.x)
			if err != nil || err2 != nil || math.Abs(a-b) > 1e-9*math.Max(1, math.Abs(a)) {
				t.Fatalf("%s: %v and %v", scale, a, b)
			}
			if scale != ScaleStandard && scale != riverScale {
				continue
			}
			for i, f := range e.x[:1] {
				s, _ := m.ScalingOf(f.Slot)
				moved := s.Mean + (f.Value-s.Mean)/(s.Count+1)
				square := s.Deviation*s.Deviation*s.Count + (f.Value-s.Mean)*(f.Value-moved)
				deviation := math.Sqrt(square / (s.Count + 1))
				if got, want := (f.Value-moved)/deviation, m.view.x[i].Value; math.Abs(got-want) > 1e-9*math.Abs(want) {
					t.Fatalf("%s: %v is scaled to %v, by the statistics to %v", scale, f.Value, want, got)
				}
			}
		}
	}
}

// TestSetScalingRefuses what no values lead to.
func TestSetScalingRefuses(t *testing.T) {
	fine := Scaling{Mean: 1, Deviation: 2, Count: 10}
	for _, c := range []struct {
		scale string
		s     Scaling
		says  string
	}{
		{ScaleStandard, fine, ""},
		{ScaleNone, fine, "the model scales nothing"},
		{ScaleMaxAbs, fine, "want scale standard"},
		{ScaleStandard, Scaling{Mean: 1, Deviation: 0, Count: 10}, "deviation 0"},
		{ScaleStandard, Scaling{Mean: 1, Deviation: -1, Count: 10}, "deviation -1"},
		{ScaleStandard, Scaling{Mean: math.NaN(), Deviation: 1, Count: 10}, "mean NaN"},
		{ScaleStandard, Scaling{Mean: 1e31, Deviation: 1, Count: 10}, "mean 1e+31"},
		{ScaleStandard, Scaling{Mean: 1, Deviation: 1, Count: 0}, "count 0"},
		{ScaleStandard, Scaling{Mean: 1, Deviation: 1, Count: 11}, "count 11: want how many of the 10 examples"},
		{ScaleStandard, Scaling{Mean: 1, Deviation: 1, Count: 9, Sized: true}, "not centred"},
	} {
		m := newModel(t, "pa", c.scale, 4)
		err := m.SetScaledExamples(10)
		if err == nil {
			err = m.SetScaling(1, []byte("x"), c.s)
		}
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s, %+v: %v, want %q", c.scale, c.s, err, c.says)
		}
	}
	for _, n := range []float64{-1, 0.5, math.NaN(), 1e17} {
		if err := newModel(t, "pa", ScaleStandard, 4).SetScaledExamples(n); err == nil {
			t.Errorf("%v examples are taken", n)
		}
	}
}
