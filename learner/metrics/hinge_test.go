package metrics

import (
	"math"
	"testing"
)

// TestPerceptronLoss sums -y·s over the mistakes of the window again, and stays finite.
func TestPerceptronLoss(t *testing.T) {
	for _, n := range []int{0, 1, 999, 1000, 2500} {
		all := randomScored(7, n)
		last := 0.0
		for _, a := range all[max(0, n-Window):] {
			if a.prediction != a.label {
				last -= float64(a.label) * a.score
			}
		}
		r := scoreOf(all).Report()
		if math.Abs(r.Last.Loss-last) > 1e-9*last || n > 100 && last == 0 {
			t.Errorf("%d: loss %v, want %v", n, r.Last.Loss, last)
		}
		for _, b := range r.Baselines {
			if b.Last.Loss != 0 {
				t.Errorf("%s has a loss: %v", b.Name, b.Last.Loss)
			}
		}
	}
	s := new(Binary)
	for range 3 {
		s.Add(1, -1, math.MaxFloat64, true)
	}
	if r := s.Report(); r.Last.Loss != math.MaxFloat64 {
		t.Errorf("loss %v", r.Last.Loss)
	}
}
