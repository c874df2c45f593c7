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
		for _, n := range []int{0, 1, 2, 7, 999, 1000, 1001, 3500, 10_000, 12_345} {
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
	last, long := max(0, len(all)-Window), max(0, len(all)-LongWindow)
	for _, scope := range []struct {
		name string
		got  Figures
		from int
		fade float64
	}{{"all", row.Figures, 0, 1}, {"last", row.Last, last, 1}, {"last10000", row.Last10000, long, 1},
		{"fading", row.Fading, 0, Fade}} {
		at := func(predictions []int8) (w []weighted) {
			for i := scope.from; i < len(all); i++ {
				w = append(w, weighted{predictions[i], all[i].label, math.Pow(scope.fade, float64(len(all)-1-i))})
			}
			return w
		}
		want := naiveFigures(at(own), at(noChange), at(majority))
		// See TestPerceptronLoss and compareAreas.
		scope.got.Loss, scope.got.RocAUC, scope.got.AveragePrecision = Optional{}, Optional{}, Optional{}
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

// alike compares all floats of two structs, near 0 absolutely, and whether figures are there.
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
	div := func(a, b float64) Optional {
		if math.Abs(b) < 1e-15 {
			return Optional{}
		}
		return Known(a / b)
	}
	tp, fp, tn, fn := count(1, 1), count(1, -1), count(-1, -1), count(-1, 1)
	n := tp + fp + tn + fn
	f := Figures{Confusion: Confusion{TruePositive: tp, FalsePositive: fp, TrueNegative: tn, FalseNegative: fn}}
	if n == 0 {
		return f
	}
	f.Accuracy = div(right(own), n)
	f.Precision, f.Recall, f.Specificity = div(tp, tp+fp), div(tp, tp+fn), div(tn, tn+fp)
	f.Positives, f.Predicted = div(tp+fn, n), div(tp+fp, n)
	p, r := f.Precision.Value(), f.Recall.Value()
	switch {
	case p+r > 0:
		f.F1 = div(2*p*r, p+r)
	case tp+fp+fn > 0:
		f.F1 = Known(0)
	}
	if tp+fn > 0 && tn+fp > 0 {
		f.BalancedAccuracy = Known((r + f.Specificity.Value()) / 2)
	}
	// Pearson's correlation of two variables of 0 and 1.
	x, y := f.Predicted.Value(), f.Positives.Value()
	f.Matthews = div(tp/n-x*y, math.Sqrt(x*(1-x)*y*(1-y)))
	against := func(reference float64) Optional { return div(f.Accuracy.Value()-reference, 1-reference) }
	f.Kappa = against(x*y + (1-x)*(1-y))
	f.KappaM, f.KappaT = against(right(majority)/n), against(right(noChange)/n)
	return f
}

// naiveAUC compares every score of a positive with every one of a negative; NaN without a pair.
func naiveAUC(all []scored) float64 {
	positives, negatives := map[float64]float64{}, map[float64]float64{} // by score
	for _, a := range all {
		if a.label == 1 {
			positives[a.score]++
		} else {
			negatives[a.score]++
		}
	}
	wins, pairs := 0.0, 0.0
	for a, n := range positives {
		for b, m := range negatives {
			pairs += n * m
			switch {
			case a > b:
				wins += n * m
			case a == b:
				wins += n * m / 2
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
