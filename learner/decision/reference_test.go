package decision

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"rosenblatt/learner/internal/exact"
)

// referenceRow is what testdata/decisions.py computes of a stream: the state at its end, and sums.
type referenceRow struct {
	Stream, Rule        string
	Delay               int
	A, C, Loss, Theta   float64
	Threshold           *float64
	Positives           int
	Count, Hits         int64
	LastHits            int64
	platt               Platt
	cut                 Cut
	waiting             Waiting
	threshold           float64
	hasThreshold, wrong bool
}

// TestReference holds calibration and cuts against a program that has nothing in common with them but the definitions,
// with labels that come at once and late.
func TestReference(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../testdata/decisions.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []referenceRow
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range rows {
		t.Run(fmt.Sprintf("%s %s %d", want.Stream, want.Rule, want.Delay), func(t *testing.T) {
			t.Parallel()
			got := compute(t, &want)
			for _, x := range [][2]float64{{got.A, want.A}, {got.C, want.C}, {got.Loss, want.Loss},
				{got.Theta, want.Theta}} {
				if !near(x[0], x[1]) {
					t.Errorf("%+v\nwant %+v", got, want)
					break
				}
			}
			if got.Positives != want.Positives || got.Count != want.Count || got.Hits != want.Hits ||
				got.LastHits != want.LastHits {
				t.Errorf("%+v\nwant %+v", got, want)
			}
			has := want.Threshold != nil
			if got.hasThreshold != has || has && !near(got.threshold, *want.Threshold) {
				t.Errorf("threshold %v %v\nwant %+v", got.threshold, got.hasThreshold, want)
			}
			if got.wrong {
				t.Error("a prediction is not score >= threshold")
			}
		})
	}
}

func near(x, y float64) bool { return math.Abs(x-y) <= 1e-7*(1+math.Abs(y)) }

type published struct {
	s                float64
	label, predicted bool
	p                Millionths
}

func compute(t *testing.T, row *referenceRow) *referenceRow {
	rule, err := ParseRule(row.Rule)
	if err != nil {
		t.Fatal(err)
	}
	r := &referenceRow{Stream: row.Stream, Rule: rule.String(), Delay: row.Delay, platt: NewPlatt(), cut: NewCut(rule)}
	var waits []published
	for _, x := range stream(row.Stream) {
		odds := r.platt.Odds()
		x.p = MillionthsOf(Sigmoid(odds.Of(x.s)))
		x.predicted, r.threshold, r.hasThreshold = r.cut.Decide(x.s, odds)
		if r.hasThreshold && x.predicted != (x.s >= r.threshold) {
			r.wrong = true
		}
		given := x.p
		if !x.label {
			given = x.p.Rest()
		}
		r.Loss -= exact.Log(given.Float())
		if x.predicted {
			r.Positives++
		}
		r.cut.Publish(x.predicted)
		r.waiting.Add(x.predicted, x.p, 1)
		for waits = append(waits, x); len(waits) > row.Delay; waits = waits[1:] {
			w := waits[0]
			r.waiting.Add(w.predicted, w.p, -1)
			t := r.platt.Odds().Of(w.s)
			r.platt.Learn(w.s, w.label)
			r.cut.Learn(t, w.label, w.predicted, r.waiting)
		}
	}
	r.A, r.C, r.Theta = r.platt.A, r.platt.C, r.cut.Theta
	r.Count, r.Hits = r.cut.Progress.Count, r.cut.Progress.Hits
	_, r.LastHits = r.cut.Progress.Last()
	return r
}

// stream is that of testdata/decisions.py.
func stream(name string) []published {
	shape := map[string]struct {
		size, middle float64
		share, noise int
	}{"even": {1, 0, 400, 400}, "rare": {1, 0, 20, 100}, "large": {1000, 0, 400, 400}, "small": {0.001, 0, 400, 400},
		"narrow": {0.125, -5, 300, 300}, "turns": {2, 0, 300, 200}, "equal": {0, 2, 300, 300}}[name]
	state := uint64(2026)
	next := func() int {
		state = state*6364136223846793005 + 1442695040888963407
		return int(state >> 33)
	}
	out := make([]published, 4000)
	for i := range out {
		k := next()%2001 - 1000
		rank := k + next()%(2*shape.noise) - shape.noise
		if name == "turns" && i >= len(out)/2 {
			rank = -rank
		}
		score := float64(shape.size*(float64(k)/500)) + shape.middle
		out[i] = published{s: score, label: rank > 1000-2*shape.share}
	}
	return out
}
