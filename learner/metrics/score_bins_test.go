package metrics

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"rosenblatt/learner"
)

// withScores is a score of examples with such scores, of which those of the positive label are shifted up.
func withScores(n int, positives float64, score func(r *rand.Rand) float64, shift float64) (s *Binary, all []scored) {
	r := rand.New(rand.NewPCG(9, 9))
	s = new(Binary)
	for range n {
		label, x := int8(-1), score(r)
		if r.Float64() < positives {
			label, x = 1, x+shift
		}
		s.Add(learner.Sign(x), label, x, false)
		all = append(all, scored{learner.Sign(x), label, x, false})
	}
	return s, all
}

// TestAUCOfBins: over all examples the AUC is within 0.0005 of the exact one, for scores of all sizes, those far from 0
// that differ little, and rare positives.
func TestAUCOfBins(t *testing.T) {
	normal := func(r *rand.Rand) float64 { return r.NormFloat64() }
	for name, c := range map[string]struct {
		positives, shift, within float64
		score                    func(r *rand.Rand) float64
	}{
		"standard":       {0.4, 1, 1e-4, normal},
		"rare":           {0.01, 1, 1e-4, normal},
		"large":          {0.4, 1e6, 1e-4, func(r *rand.Rand) float64 { return 1e6 * r.NormFloat64() }},
		"tiny":           {0.4, 1e-6, 1e-4, func(r *rand.Rand) float64 { return 1e-6 * r.NormFloat64() }},
		"far from 0":     {0.4, 0.02, 2e-3, func(r *rand.Rand) float64 { return -5 + 0.02*r.NormFloat64() }},
		"ties":           {0.4, 1, 1e-12, func(r *rand.Rand) float64 { return float64(r.IntN(5)) - 2 }},
		"beyond the end": {0.4, 1e40, 1e-4, func(r *rand.Rand) float64 { return float64(r.IntN(2)) - 0.5 }},
	} {
		t.Run(name, func(t *testing.T) {
			s, all := withScores(4000, c.positives, c.score, c.shift)
			r := s.Report()
			compareAreas(t, &r.Figures, all, c.within)
		})
	}
}

// TestBinsOfTheOutermostScores: no score is out of place.
func TestBinsOfTheOutermostScores(t *testing.T) {
	ascending := []float64{-math.MaxFloat64, -1e30, -2, -1.5, -1, -1e-9, -1e-9 / 3, 0, 1e-9 / 3, 1e-9, 1, 1.5, 2, 1e30}
	var s Binary
	for i, x := range append(ascending, math.Copysign(0, -1), math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64,
		math.MaxFloat64) {
		label := int8(-1)
		if i >= 8 && i < 14 || x == math.MaxFloat64 {
			label = 1
		}
		s.Add(learner.Sign(x), label, x, false)
	}
	order := -1
	s.bins.each(func(place int, _ binCounts) {
		if place <= order || place < 0 || place > 2*signedBins {
			t.Errorf("bin %d follows %d", place, order)
		}
		order = place
	})
	if auc, known := s.Report().RocAUC.Get(); !known || auc < 0.98 || auc > 1 {
		t.Errorf("AUC %v, %v", auc, known)
	}
}

// TestSavedBins: they survive a save, and a copy shares nothing with its original. What does not agree with the counts
// is refused, and a score without its bins has no AUC over all.
func TestSavedBins(t *testing.T) {
	s, all := withScores(3000, 0.2, func(r *rand.Rand) float64 { return r.NormFloat64() }, 1)
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	bins := s.AppendBins(nil)
	var loaded, copied Binary
	if err := json.Unmarshal(text, &loaded); err != nil {
		t.Fatal(err)
	}
	if _, known := loaded.Report().RocAUC.Get(); known {
		t.Error("an AUC of examples whose scores are not known")
	}
	if err := cmp.Or(loaded.LoadLast(s.AppendLast(nil)), loaded.LoadBins(bins)); err != nil {
		t.Fatal(err)
	}
	if got := loaded.AppendBins(nil); !bytes.Equal(got, bins) || loaded.Report().RocAUC != s.Report().RocAUC {
		t.Error("another one after a save")
	}
	loaded.CopyTo(&copied)
	loaded.Add(1, 1, 7e9, false)
	loaded.Add(1, 1, all[0].score, false)
	if got := copied.AppendBins(nil); !bytes.Equal(got, bins) {
		t.Error("the copy has changed with its original")
	}
	loaded.CopyTo(&copied)
	s.CopyTo(&copied) // with fewer pages
	if got := copied.AppendBins(nil); !bytes.Equal(got, bins) {
		t.Error("a copy into used memory is another one")
	}
	for i := range bins {
		if err := loaded.LoadBins(bins[:i]); err == nil && i > 0 && bytes.Equal(loaded.AppendBins(nil), bins) {
			t.Fatalf("%d of %d bytes are as good as all", i, len(bins))
		}
	}
	for _, wrong := range [][]byte{{1}, {1, 1}, {1, 0, 0}, {0, 1, 1, 0, 1, 1},
		{255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 1, 1},
		append(bytes.Clone(bins), 1, 200, 200)} {
		if err := loaded.LoadBins(wrong); err == nil {
			t.Errorf("%v is taken for bins", wrong[:min(len(wrong), 12)])
		}
	}
}

// TestAUCAgainstScikitLearn: the value that roc_auc_score gives for these scores.
func TestAUCAgainstScikitLearn(t *testing.T) {
	var s Binary
	for i, score := range []float64{0.1, 0.4, 0.35, 0.8} { // the example of its documentation: 0.75
		s.Add(1, []int8{-1, -1, 1, 1}[i], score, false)
	}
	for _, got := range []Optional{s.Report().RocAUC, s.Report().Last.RocAUC} {
		if x, known := got.Get(); !known || x != 0.75 {
			t.Errorf("%v, %v", x, known)
		}
	}
	s = Binary{}
	for i, score := range []float64{0.1, 0.4, 0.35, 0.8} { // average_precision_score gives 0.8333
		s.Add(1, []int8{-1, -1, 1, 1}[i], score, false)
	}
	for _, got := range []Optional{s.Report().AveragePrecision, s.Report().Last10000.AveragePrecision} {
		if x, known := got.Get(); !known || math.Abs(x-5.0/6) > 1e-15 {
			t.Errorf("%v, %v", x, known)
		}
	}
	text, err := json.Marshal(s.Report().Fading)
	if err != nil || bytes.Contains(text, []byte("rocAuc")) {
		t.Errorf("%s, %v: fading figures have none", text, err)
	}
}
