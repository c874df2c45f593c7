package metrics

import (
	"math"

	"rosenblatt/learner/decision"
)

// Cost is what the two mistakes of two labels cost.
type Cost struct {
	FalsePositive float64 `json:"falsePositive"`
	FalseNegative float64 `json:"falseNegative"`
}

// ParseCost reads a cost as fp:1,fn:20, in either order.
func ParseCost(text string) (Cost, error) {
	fp, fn, err := decision.ParseCosts(text)
	return Cost{FalsePositive: fp, FalseNegative: fn}, err
}

// Of is the cost of a confusion for each example, absent without one.
func (c Cost) Of(counts *Confusion) Optional {
	n := counts.TruePositive + counts.FalsePositive + counts.TrueNegative + counts.FalseNegative
	return Quotient(float64(c.FalsePositive*counts.FalsePositive)+float64(c.FalseNegative*counts.FalseNegative), n)
}

// Always and Never are the cost for each example of always and of never predicting the positive label.
func (c Cost) Always(counts *Confusion) Optional {
	return c.Of(&Confusion{FalsePositive: counts.FalsePositive + counts.TrueNegative,
		TruePositive: counts.TruePositive + counts.FalseNegative})
}

// Never is the opposite of Always.
func (c Cost) Never(counts *Confusion) Optional {
	return c.Of(&Confusion{TrueNegative: counts.FalsePositive + counts.TrueNegative,
		FalseNegative: counts.TruePositive + counts.FalseNegative})
}

// At is the cost for each example of predicting positive from a cut on, where a share of the labels is positive.
func (c Cost) At(cut *Cut, positives float64) float64 {
	return float64(c.FalseNegative*positives*(1-cut.Recall)) +
		float64(c.FalsePositive*(1-positives)*cut.FalsePositiveRate)
}

// Best is the cut of lowest cost, and that cost for each example: never predicting positive is one, too, from infinity
// on.
func (c Cost) Best(cuts []Cut, positives float64) (best Cut, cost float64) {
	best = Cut{Score: math.Inf(1)}
	cost = c.At(&best, positives)
	for i := range cuts {
		if x := c.At(&cuts[i], positives); x < cost {
			best, cost = cuts[i], x
		}
	}
	return best, cost
}
