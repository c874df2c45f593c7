package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestCuts compares each cut with what predicting positive from its score on would have given, and the curves with the
// areas.
func TestCuts(t *testing.T) {
	normal := func(r *rand.Rand) float64 { return r.NormFloat64() }
	for name, c := range map[string]struct {
		positives, shift float64
		score            func(r *rand.Rand) float64
	}{
		"standard":   {0.4, 1, normal},
		"rare":       {0.005, 2, normal},
		"frequent":   {0.99, 1, normal},
		"negative":   {0.4, 1, func(r *rand.Rand) float64 { return r.NormFloat64() - 9 }},
		"few values": {0.4, 1, func(r *rand.Rand) float64 { return float64(r.IntN(5)) - 2 }},
		"outermost":  {0.4, 1e40, func(r *rand.Rand) float64 { return 1e39 * r.NormFloat64() }},
		"tiny":       {0.4, 1e-30, func(r *rand.Rand) float64 { return 1e-30 * r.NormFloat64() }},
	} {
		t.Run(name, func(t *testing.T) {
			s, all := withScores(20_000, c.positives, c.score, c.shift)
			of, report := s.Cuts(), s.Report()
			cuts := FewCuts(of)
			if len(cuts) == 0 || len(cuts) > 2*stepsOfCuts || len(of) < len(cuts) {
				t.Fatalf("%d cuts of %d", len(cuts), len(of))
			}
			area, before := 0.0, Cut{}
			for i, cut := range cuts {
				var found, alarms float64
				for _, e := range all {
					if e.score >= cut.Score {
						if e.label == 1 {
							found++
						} else {
							alarms++
						}
					}
				}
				want := Cut{cut.Score, found / s.all[learned].positives(), found / (found + alarms),
					alarms / s.all[learned].negatives()}
				if cut != want {
					t.Fatalf("cut %d is %+v, want %+v", i, cut, want)
				}
				area += (cut.FalsePositiveRate - before.FalsePositiveRate) * (cut.Recall + before.Recall) / 2
				before = cut
			}
			if before.Recall != 1 || before.FalsePositiveRate != 1 {
				t.Errorf("the last cut is %+v", before)
			}
			if math.Abs(area-report.RocAUC.Value()) > 0.005 {
				t.Errorf("the area under the cuts is %v, want %v", area, report.RocAUC.Value())
			}
		})
	}
	one := new(Binary)
	one.Add(1, 1, 1, false)
	if cuts := one.Cuts(); cuts != nil {
		t.Errorf("cuts of one label: %v", cuts)
	}
}
