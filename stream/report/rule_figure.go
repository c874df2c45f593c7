package report

import (
	"fmt"

	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
)

// liveFigure is one that the table of a running replay shows, computed from the counts of a row.
type liveFigure struct {
	name string
	of   func(r *metrics.Row) metrics.Optional
	text func(x float64) string
}

// ruleFigure is the figure that a rule is about.
func ruleFigure(by decision.Rule) liveFigure {
	f := liveFigure{text: func(x float64) string { return fmt.Sprintf("%.2f", 100*x) }}
	switch by.Kind {
	case decision.Sign: // of several classes there are no four counts
		f.name = "accuracy in %"
		f.of = func(r *metrics.Row) metrics.Optional {
			return metrics.Quotient(float64(r.Examples-r.Mistakes), float64(r.Examples))
		}
	case decision.Cost:
		cost := metrics.Cost{FalsePositive: by.FP, FalseNegative: by.FN}
		f.name = "cost of 1,000 examples"
		f.of = func(r *metrics.Row) metrics.Optional { return many(cost.Of(&r.Confusion)) }
		f.text = costOfMany
	case decision.Recall:
		f.name = "recall in %"
		f.of = func(r *metrics.Row) metrics.Optional {
			c := &r.Confusion
			return metrics.Quotient(c.TruePositive, c.TruePositive+c.FalseNegative)
		}
	case decision.Alerts:
		f.name = "share predicted positive in %"
		f.of = func(r *metrics.Row) metrics.Optional {
			c := &r.Confusion
			alerts := c.TruePositive + c.FalsePositive
			return metrics.Quotient(alerts, alerts+c.TrueNegative+c.FalseNegative)
		}
	case decision.Precision:
		f.name = "precision in %"
		f.of = func(r *metrics.Row) metrics.Optional {
			c := &r.Confusion
			return metrics.Quotient(c.TruePositive, c.TruePositive+c.FalsePositive)
		}
	default: // a cut at a probability
		f.name = "F1 in %"
		f.of = func(r *metrics.Row) metrics.Optional {
			c := &r.Confusion
			return metrics.Quotient(2*c.TruePositive, 2*c.TruePositive+c.FalsePositive+c.FalseNegative)
		}
	}
	return f
}

func costOfMany(x float64) string {
	if x >= 1000 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.1f", x)
}
