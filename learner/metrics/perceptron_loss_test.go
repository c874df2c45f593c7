package metrics

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// TestPerceptronLoss sums -y·s over the mistakes again: over all, over the window, and fading.
func TestPerceptronLoss(t *testing.T) {
	for _, n := range []int{0, 1, 999, 1000, 2500, 11_000} {
		all := randomScored(7, n)
		var total, last, long, fading float64
		for i, a := range all {
			fading *= Fade
			if a.prediction == a.label {
				continue
			}
			loss := -float64(a.label) * a.score
			total += loss
			fading += loss
			if i >= n-Window {
				last += loss
			}
			if i >= n-LongWindow {
				long += loss
			}
		}
		r := scoreOf(all).Report()
		near := func(o Optional, b float64) bool {
			a, known := o.Get()
			return known == (n > 0) && math.Abs(a-b) <= 1e-9*b
		}
		if !near(r.Loss, total) || !near(r.Last.Loss, last) || !near(r.Fading.Loss, fading) ||
			!near(r.Last10000.Loss, long) ||
			n > 100 && last == 0 {
			t.Errorf("%d: loss %v, %v, %v, want %v, %v, %v", n, r.Loss, r.Last.Loss, r.Fading.Loss, total, last, fading)
		}
		for _, b := range r.Baselines {
			if none := (Optional{}); b.Loss != none || b.Last.Loss != none || b.Fading.Loss != none {
				t.Errorf("%s has a loss: %+v", b.Name, b)
			}
		}
	}
	s := new(Binary)
	for range 3 {
		s.Add(1, -1, math.MaxFloat64, true)
	}
	most := Known(math.MaxFloat64)
	if r := s.Report(); r.Loss != most || r.Last.Loss != most || r.Fading.Loss.Value() > math.MaxFloat64 {
		t.Errorf("loss %v, %v, %v", r.Loss, r.Last.Loss, r.Fading.Loss)
	}
	if text, err := json.Marshal(s); err != nil || json.Unmarshal(text, new(Binary)) != nil {
		t.Error(err)
	}
}

// TestHostilePerceptronLoss: sums that no examples have are refused.
func TestHostilePerceptronLoss(t *testing.T) {
	text, err := json.Marshal(scoreOf(randomScored(8, 1500)))
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(text), `,"perceptronLoss":{`)
	for _, invalid := range []string{`{"sum":1,"fading":2}`, `{"sum":-1,"fading":-2}`} {
		if json.Unmarshal([]byte(string(text[:at])+`,"perceptronLoss":`+invalid+`}`), new(Binary)) == nil {
			t.Errorf("%s was read", invalid)
		}
	}
}
