package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rosenblatt/learner"
)

// scorers are ways in which scores depend on labels.
var scorers = map[string]func(r *rand.Rand, label int8) float64{
	"ties only":  func(*rand.Rand, int8) float64 { return 0 },
	"few values": func(r *rand.Rand, label int8) float64 { return float64(label)/2 + float64(r.IntN(3)-1) },
	"by chance":  func(r *rand.Rand, _ int8) float64 { return r.NormFloat64() },
	"perfect":    func(r *rand.Rand, label int8) float64 { return float64(label) * (r.Float64() + 0.1) },
	"inverted":   func(r *rand.Rand, label int8) float64 { return -float64(label) * (r.Float64() + 0.1) },
	"one sided":  func(r *rand.Rand, label int8) float64 { return r.Float64() + float64(label) + 1 },
}

// TestFiguresOverSamplers compares all figures with their definitions over shares of the positive label and ways to
// score, where denominators are 0 and kappas have their ends.
func TestFiguresOverSamplers(t *testing.T) {
	for _, share := range []float64{0, 0.01, 0.3, 0.5, 0.99, 1} {
		for name, scorer := range scorers {
			t.Run(fmt.Sprintf("%v %s", share, name), func(t *testing.T) {
				r := rand.New(rand.NewPCG(7, uint64(1000*share)))
				all := make([]scored, 1500)
				for i := range all {
					label := int8(-1)
					if r.Float64() < share {
						label = 1
					}
					score := scorer(r, label)
					all[i] = scored{learner.Sign(score), label, score, false}
				}
				compareReport(t, all)
			})
		}
	}
}

func compareReport(t *testing.T, all []scored) {
	t.Helper()
	report := scoreOf(all).Report()
	noChange, majority := baselines(all)
	own := make([]int8, len(all))
	for i := range all {
		own[i] = all[i].prediction
	}
	compareRow(t, report.Row, all, own, noChange, majority)
	compareRow(t, report.Baselines[0], all, noChange, noChange, majority)
	compareRow(t, report.Baselines[1], all, majority, noChange, majority)
	compareAreas(t, &report.Last, all[max(0, len(all)-Window):], 1e-12)
	compareAreas(t, &report.Last10000, all[max(0, len(all)-LongWindow):], 1e-12)
	compareAreas(t, &report.Figures, all, 1e-4) // from bins
	for _, none := range []Figures{report.Fading, report.Baselines[0].Figures, report.Baselines[1].Last} {
		if none.RocAUC != (Optional{}) || none.AveragePrecision != (Optional{}) {
			t.Errorf("%+v has an area", none)
		}
	}
}

// compareAreas wants none where a label is missing, but an average precision where the positive one is there.
func compareAreas(t *testing.T, got *Figures, of []scored, within float64) {
	t.Helper()
	compareAUC(t, got.RocAUC, of, within)
	want := naiveAveragePrecision(of)
	if x, known := got.AveragePrecision.Get(); known == math.IsNaN(want) || known && math.Abs(x-want) > 10*within {
		t.Errorf("average precision %v, %v, want %v", x, known, want)
	}
}

// naiveAveragePrecision counts anew for every cut; NaN without a positive.
func naiveAveragePrecision(all []scored) float64 {
	positives := map[float64]float64{} // by score
	every := 0.0
	for _, a := range all {
		if a.label == 1 {
			positives[a.score]++
			every++
		}
	}
	if every == 0 {
		return math.NaN()
	}
	sum := 0.0
	for cut, there := range positives {
		found, alarms := 0.0, 0.0
		for _, a := range all {
			if a.score >= cut {
				alarms++
				if a.label == 1 {
					found++
				}
			}
		}
		sum += there / every * found / alarms
	}
	return sum
}

// compareAUC wants none where there is one label only.
func compareAUC(t *testing.T, got Optional, of []scored, within float64) {
	t.Helper()
	want := naiveAUC(of)
	if x, known := got.Get(); known == math.IsNaN(want) || known && math.Abs(x-want) > within {
		t.Errorf("AUC %v, %v, want %v", x, known, want)
	}
}
