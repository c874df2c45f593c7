package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestParseCost(t *testing.T) {
	for _, text := range []string{"fp:1,fn:20", "fn:20,fp:1", "fp:1e0,fn:2e1"} {
		if c, err := ParseCost(text); err != nil || c != (Cost{1, 20}) {
			t.Errorf("%s: %+v %v", text, c, err)
		}
	}
	for _, text := range []string{"", "1:20", "fp:1", "fp:1,fp:2", "fp:1,fn:0", "fp:1,fn:-1", "fp:1,fn:NaN",
		"fp:1,fn:inf", "fp:1,fn:1e31", "fp:1,fn:2,fn:3", "fp:1,tn:2", "fp:x,fn:1"} {
		if c, err := ParseCost(text); err == nil {
			t.Errorf("%q is %+v", text, c)
		}
	}
}

// TestCostByCut: each cut costs what predicting anew from its score on costs, and the best one is the cheapest of
// those, of all scores but for what the thinning of cuts leaves out.
func TestCostByCut(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var s Binary
	var labels []int8
	var scores []float64
	for range 5000 {
		label, score := int8(-1), math.Round(16*r.NormFloat64())/8
		if r.IntN(50) == 0 {
			label, score = 1, score+2
		}
		s.Add(1, label, score, false)
		labels, scores = append(labels, label), append(scores, score)
	}
	cost := Cost{FalsePositive: 2, FalseNegative: 30}
	confusion := func(from float64) (c Confusion) {
		for i := range labels {
			switch predicted := scores[i] >= from; {
			case predicted && labels[i] > 0:
				c.TruePositive++
			case predicted:
				c.FalsePositive++
			case labels[i] > 0:
				c.FalseNegative++
			default:
				c.TrueNegative++
			}
		}
		return c
	}
	naive := func(from float64) float64 {
		c := confusion(from)
		return (2*c.FalsePositive + 30*c.FalseNegative) / 5000
	}
	positives := s.Report().Positives.Value()
	for _, cut := range s.Cuts() {
		if got := cost.At(&cut, positives); math.Abs(got-naive(cut.Score)) > 1e-12 {
			t.Errorf("from %v on: %v, want %v", cut.Score, got, naive(cut.Score))
		}
	}
	best, lowest := cost.Best(s.Cuts(), positives)
	if math.Abs(naive(best.Score)-lowest) > 1e-12 {
		t.Errorf("the cost at %v is %v, not %v", best.Score, naive(best.Score), lowest)
	}
	reached := naive(math.Inf(1))
	for _, from := range scores {
		reached = min(reached, naive(edgeBelow(from)))
	}
	if math.Abs(reached-lowest) > 1e-12 {
		t.Errorf("%v can be reached, and the lowest is %v", reached, lowest)
	}
	c := confusion(0)
	for _, x := range []struct{ got, want Optional }{{cost.Of(&c), Known(naive(0))},
		{cost.Never(&c), Known(naive(1e9))}, {cost.Always(&c), Known(naive(-1e9))},
		{cost.Of(&Confusion{}), Optional{}}} {
		if x.got.known != x.want.known || math.Abs(x.got.value-x.want.value) > 1e-12 {
			t.Errorf("%+v, want %+v", x.got, x.want)
		}
	}
	dear := Cost{FalsePositive: 1e6, FalseNegative: 1}
	if best, _ := dear.Best(s.Cuts()[1:], positives); !math.IsInf(best.Score, 1) {
		t.Errorf("with dear alarms the best cut is %+v", best)
	}
}

// edgeBelow is the lowest score of a score's bin: ten bits of the fraction.
func edgeBelow(score float64) float64 {
	const more = 1<<42 - 1
	if bits := math.Float64bits(score); score < 0 {
		return math.Float64frombits(bits | more)
	} else {
		return math.Float64frombits(bits &^ more)
	}
}
