package web

import (
	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
)

// decisionBody is how two labels get from scores to predictions, where it is not by the sign of the score alone.
type decisionBody struct {
	Rule        string          `json:"rule"`
	Calibration string          `json:"calibration"`         // platt or none
	Slope       float64         `json:"slope"`               // log-odds are slope·score + offset
	Offset      float64         `json:"offset"`              //
	Waits       bool            `json:"waits"`               // the rule is sign until enough labels are known
	Lacks       []decision.Lack `json:"lacks,omitempty"`     // what it waits for
	Threshold   *float64        `json:"threshold,omitempty"` // the score from which on positive is predicted now
	Target      *float64        `json:"target,omitempty"`    // of precision, recall and alerts
	Reached     *reached        `json:"reached,omitempty"`   // likewise
	Cost        *costs          `json:"cost,omitempty"`      // of cost
}

// reached is a share: of all that counted since the rule began, and of the latest of them.
type reached struct {
	Count     int64            `json:"count"`
	All       metrics.Optional `json:"all,omitzero"`
	LastCount int64            `json:"last_count"`
	Last      metrics.Optional `json:"last,omitzero"`
}

// costs are of 1,000 events, over all and over the last 1,000 and 10,000, and what always and never predicting positive
// would cost.
type costs struct {
	All    metrics.Optional `json:"all,omitzero"`
	Last   metrics.Optional `json:"last,omitzero"`
	Long   metrics.Optional `json:"last10000,omitzero"`
	Always metrics.Optional `json:"always,omitzero"`
	Never  metrics.Optional `json:"never,omitzero"`
}

func decisionOf(d *model.Decision, r *metrics.Row, labels [2]string) *decisionBody {
	if d == nil {
		return nil
	}
	b := &decisionBody{Rule: d.Rule.String(), Calibration: d.Calibration, Slope: d.Odds.Slope, Offset: d.Odds.Offset,
		Waits: d.Waits, Lacks: d.Lacks(labels)}
	if d.HasThreshold {
		b.Threshold = &d.Threshold
	}
	if d.Rule.Moves() {
		p := &d.Cut.Progress
		count, hits := p.Last()
		b.Target = &d.Rule.Value
		b.Reached = &reached{p.Count, metrics.Quotient(float64(p.Hits), float64(p.Count)), count,
			metrics.Quotient(float64(hits), float64(count))}
	}
	if cost, has := costOf(d); has {
		many := func(x metrics.Optional) metrics.Optional {
			each, known := x.Get()
			if !known {
				return x
			}
			return metrics.Known(1000 * each)
		}
		b.Cost = &costs{many(cost.Of(&r.Confusion)), many(cost.Of(&r.Last.Confusion)),
			many(cost.Of(&r.Last10000.Confusion)), many(cost.Always(&r.Confusion)), many(cost.Never(&r.Confusion))}
	}
	return b
}

// costOf returns what mistakes cost, where the rule says so.
func costOf(d *model.Decision) (c metrics.Cost, has bool) {
	if d == nil || d.Rule.Kind != decision.Cost {
		return c, false
	}
	return metrics.Cost{FalsePositive: d.Rule.FP, FalseNegative: d.Rule.FN}, true
}

// decisionMetrics sends what is known of the cut.
func decisionMetrics(g gather, d *model.Decision, r *metrics.Row) {
	b := decisionOf(d, r, [2]string{})
	if b == nil {
		return
	}
	if b.Threshold != nil {
		g.send(threshold, *b.Threshold)
	}
	if b.Reached != nil {
		g.send(target, *b.Target)
		g.optional(reachedShare, b.Reached.All, "all")
		g.optional(reachedShare, b.Reached.Last, "last")
	}
	if cost, has := costOf(d); has {
		for _, scope := range metrics.Scopes {
			g.optional(costPerEvent, cost.Of(&scope.Of(r).Confusion), scope.Name)
		}
	}
}
