package metrics

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// TestPerceptronLoss sums -y·s over the mistakes again: over all, over the window, and fading.
func TestPerceptronLoss(t *testing.T) {
	for _, n := range []int{0, 1, 999, 1000, 2500} {
		all := randomScored(7, n)
		var total, last, fading float64
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
		}
		r := scoreOf(all).Report()
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*b }
		if !near(r.Loss, total) || !near(r.Last.Loss, last) || !near(r.Fading.Loss, fading) || r.LossSince != 0 ||
			n > 100 && last == 0 {
			t.Errorf("%d: loss %v, %v, %v, want %v, %v, %v", n, r.Loss, r.Last.Loss, r.Fading.Loss, total, last, fading)
		}
		for _, b := range r.Baselines {
			if b.Loss != 0 || b.Last.Loss != 0 || b.Fading.Loss != 0 {
				t.Errorf("%s has a loss: %+v", b.Name, b)
			}
		}
	}
	s := new(Binary)
	for range 3 {
		s.Add(1, -1, math.MaxFloat64, true)
	}
	if r := s.Report(); r.Loss != math.MaxFloat64 || r.Last.Loss != math.MaxFloat64 || r.Fading.Loss > math.MaxFloat64 {
		t.Errorf("loss %v, %v, %v", r.Loss, r.Last.Loss, r.Fading.Loss)
	}
	if text, err := json.Marshal(s); err != nil || json.Unmarshal(text, new(Binary)) != nil {
		t.Error(err)
	}
}

// TestPerceptronLossOfAnOlderScore: a score that an earlier version saved has no sum. It is saved as it was, and from
// the next example on says how many are missing, also when saved and read again.
func TestPerceptronLossOfAnOlderScore(t *testing.T) {
	all := randomScored(8, 1500)
	text, err := json.Marshal(scoreOf(all))
	if err != nil {
		t.Fatal(err)
	}
	at, end := strings.Index(string(text), `,"perceptronLoss":{`), len(text)-1
	older := string(text[:at]) + string(text[end:])
	s := new(Binary)
	if err := json.Unmarshal([]byte(older), s); err != nil {
		t.Fatal(err)
	}
	if r := s.Report(); r.LossSince != 1500 || r.Loss != 0 || r.Last.Loss != scoreOf(all).Report().Last.Loss {
		t.Errorf("%+v", r)
	}
	if again, err := json.Marshal(s); err != nil || string(again) != older {
		t.Errorf("saved as %s (%v)", again[max(0, len(again)-100):], err)
	}
	s.Add(1, -1, 2.5, true)
	text, err = json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	read := new(Binary)
	if err := json.Unmarshal(text, read); err != nil {
		t.Fatal(err)
	}
	read.Add(-1, 1, -0.25, true)
	if r := read.Report(); r.LossSince != 1500 || r.Loss != 2.75 || r.Fading.Loss != 2.5*Fade+0.25 {
		t.Errorf("since %d: %v, %v", r.LossSince, r.Loss, r.Fading.Loss)
	}
	for _, invalid := range []string{`{"since":1501,"sum":1,"fading":1}`, `{"since":-1,"sum":1,"fading":1}`,
		`{"sum":1,"fading":2}`, `{"sum":-1,"fading":-2}`} {
		if json.Unmarshal([]byte(older[:len(older)-1]+`,"perceptronLoss":`+invalid+`}`), new(Binary)) == nil {
			t.Errorf("%s was read", invalid)
		}
	}
}
