package metrics

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"rosenblatt/learner"
)

// scored is a prediction with what it is scored by.
type scored struct {
	prediction, label int8
	score             float64
	updated           bool
}

// randomScored are in runs of one label, with few different scores, so that ties occur.
func randomScored(seed uint64, n int) []scored {
	r := rand.New(rand.NewPCG(seed, 9))
	all := make([]scored, n)
	label, bias := int8(1-2*int(seed%2)), r.Float64()
	for i := range all {
		if r.Float64() < bias {
			label = -label
		}
		score := float64(r.IntN(9)-4)/2 + float64(label)*float64(seed%3)/2
		all[i] = scored{learner.Sign(score), label, score, r.IntN(3) == 0}
	}
	return all
}

func scoreOf(all []scored) *Binary {
	s := new(Binary)
	for _, a := range all {
		s.Add(a.prediction, a.label, a.score, a.updated)
	}
	return s
}

// weighted is a prediction, its label and its weight in some scope.
type weighted struct {
	prediction, label int8
	weight            float64
}

// TestScoreAgainstNaive recomputes every figure from the whole stream.
func TestScoreAgainstNaive(t *testing.T) {
	for seed := range uint64(6) {
		for _, n := range []int{0, 1, 2, 7, 999, 1000, 1001, 3500} {
			all := randomScored(seed, n)
			report := scoreOf(all).Report()
			updates := int64(0)
			for _, a := range all {
				if a.updated {
					updates++
				}
			}
			if report.Updates != updates || report.Predictions != int64(n) || report.Examples != int64(n) {
				t.Errorf("seed %d, %d: %d updates of %d", seed, n, report.Updates, report.Predictions)
			}
			compareReport(t, all)
		}
	}
}

func compareRow(t *testing.T, row Row, all []scored, own, noChange, majority []int8) {
	t.Helper()
	last := max(0, len(all)-Window)
	for _, scope := range []struct {
		name string
		got  Figures
		from int
		fade float64
	}{{"all", row.Figures, 0, 1}, {"last", row.Last, last, 1}, {"fading", row.Fading, 0, Fade}} {
		at := func(predictions []int8) (w []weighted) {
			for i := scope.from; i < len(all); i++ {
				w = append(w, weighted{predictions[i], all[i].label, math.Pow(scope.fade, float64(len(all)-1-i))})
			}
			return w
		}
		want := naiveFigures(at(own), at(noChange), at(majority))
		scope.got.Loss, scope.got.RocAUC = 0, Optional{} // see TestPerceptronLoss, compareAUC
		if !alike(reflect.ValueOf(scope.got), reflect.ValueOf(want)) {
			t.Errorf("%d examples, %q, %s:\n got %+v\nwant %+v", len(all), row.Name, scope.name, scope.got, want)
		}
	}
	mistakes := int64(0)
	for i, a := range all {
		if own[i] != a.label {
			mistakes++
		}
	}
	if row.Mistakes != mistakes {
		t.Errorf("%q: %d mistakes, want %d", row.Name, row.Mistakes, mistakes)
	}
}

// alike compares all floats of two structs, near 0 absolutely.
func alike(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Float64:
		return math.Abs(a.Float()-b.Float()) <= 1e-8*math.Max(1, math.Abs(b.Float()))
	case reflect.Bool:
		return a.Bool() == b.Bool()
	}
	for i := range a.NumField() {
		if !alike(a.Field(i), b.Field(i)) {
			return false
		}
	}
	return true
}

func baselines(all []scored) (noChange, majority []int8) {
	last, balance := int8(1), 0
	for _, a := range all {
		noChange = append(noChange, last)
		majority = append(majority, learner.Sign(float64(balance)))
		last = a.label
		balance += int(a.label)
	}
	return noChange, majority
}

// sum adds up the weights for which keep holds.
func sum(ws []weighted, keep func(w weighted) bool) float64 {
	total := 0.0
	for _, w := range ws {
		if keep(w) {
			total += w.weight
		}
	}
	return total
}

func naiveFigures(own, noChange, majority []weighted) Figures {
	count := func(prediction, label int8) float64 {
		return sum(own, func(w weighted) bool { return w.prediction == prediction && w.label == label })
	}
	right := func(ws []weighted) float64 { return sum(ws, func(w weighted) bool { return w.prediction == w.label }) }
	div := func(a, b float64) float64 {
		if math.Abs(b) < 1e-15 {
			return 0
		}
		return a / b
	}
	tp, fp, tn, fn := count(1, 1), count(1, -1), count(-1, -1), count(-1, 1)
	n := tp + fp + tn + fn
	f := Figures{Confusion: Confusion{TruePositive: tp, FalsePositive: fp, TrueNegative: tn, FalseNegative: fn}}
	f.Accuracy = div(right(own), n)
	f.Precision, f.Recall = div(tp, tp+fp), div(tp, tp+fn)
	f.F1 = div(2*f.Precision*f.Recall, f.Precision+f.Recall)
	recalls, labels := f.Recall+div(tn, tn+fp), 0.0
	if tp+fn > 0 {
		labels++
	}
	if tn+fp > 0 {
		labels++
	}
	f.BalancedAccuracy = div(recalls, labels)
	chance := div(tp+fn, n)*div(tp+fp, n) + div(tn+fp, n)*div(tn+fn, n)
	f.Kappa = div(f.Accuracy-chance, 1-chance)
	f.KappaM = div(f.Accuracy-div(right(majority), n), 1-div(right(majority), n))
	f.KappaT = div(f.Accuracy-div(right(noChange), n), 1-div(right(noChange), n))
	return f
}

// naiveAUC compares every positive with every negative; NaN without a pair.
func naiveAUC(all []scored) float64 {
	wins, pairs := 0.0, 0.0
	for _, a := range all {
		for _, b := range all {
			if a.label != 1 || b.label != -1 {
				continue
			}
			pairs++
			switch {
			case a.score > b.score:
				wins++
			case a.score == b.score:
				wins += 0.5
			}
		}
	}
	return wins / pairs
}

func TestScoreCounts(t *testing.T) {
	s := scoreOf(randomScored(1, 10))
	s.AddUnlabelled()
	for _, squared := range []float64{4, 25, 9} {
		s.AddNorm(squared)
	}
	if r := s.Report(); s.Examples() != 10 || s.Predictions() != 11 || r.Predictions != 11 ||
		r.Examples != 10 || r.R != 5 {
		t.Errorf("%+v", r)
	}
}

// TestFadingEndsInZero follows a label that never comes again: what is left of it must not end in subnormal numbers.
func TestFadingEndsInZero(t *testing.T) {
	s := new(Binary)
	s.Add(1, 1, 1, false)
	for range 700_000 {
		s.Add(-1, -1, -1, false)
	}
	if got := s.Report().Fading.Confusion; got.TruePositive != 0 || math.Abs(got.TrueNegative-1000) > 1e-6 {
		t.Errorf("%+v", got)
	}
}
