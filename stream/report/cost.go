package report

import (
	"fmt"
	"math"
	"strconv"

	"rosenblatt/learner/metrics"
)

// perEvents is for how many examples costs are told.
const perEvents = 1000

// costs are those of a learner of two labels, for 1,000 examples.
type costs struct {
	metrics.Cost
	Published metrics.Optional `json:"published,omitzero"` // of the predictions as they were
	Never     metrics.Optional `json:"never,omitzero"`     // of never predicting positive
	Always    metrics.Optional `json:"always,omitzero"`
	Lowest    float64          `json:"lowest"` // of all cuts of the score
	Cut       *metrics.Cut     `json:"cut"`    // that has it; null: never predicting positive has
}

// costsOf are by the cost asked for, else both mistakes cost 1; nil without curves of two labels.
func (r *Report) costsOf(l *Learner) *costs {
	if l.Cuts == nil {
		return nil
	}
	out := &costs{Cost: metrics.Cost{FalsePositive: 1, FalseNegative: 1}}
	if r.Cost != nil {
		out.Cost = *r.Cost
	}
	out.Published = many(out.Of(&l.Confusion))
	out.Never, out.Always = many(out.Cost.Never(&l.Confusion)), many(out.Cost.Always(&l.Confusion))
	best, lowest := out.Best(l.Cuts, l.Positives.Value())
	if out.Lowest = perEvents * lowest; !math.IsInf(best.Score, 1) {
		out.Cut = &best
	}
	return out
}

// costColumns is the cost for 1,000 examples, if it is asked for.
func (r *Report) costColumns() []metrics.Column {
	if r.Cost == nil {
		return nil
	}
	return []metrics.Column{{Name: "cost", Title: "cost", Help: "of 1,000 examples", Kind: metrics.Money, Better: -1,
		Of: func(f *metrics.Figures) metrics.Optional { return many(r.Cost.Of(&f.Confusion)) }}}
}

// costNote says what the best learner's cost is to be compared with.
func (r *Report) costNote() string {
	if r.Cost == nil || len(r.Learners) == 0 || r.Learners[0].Cuts == nil {
		return ""
	}
	c, label := r.costsOf(&r.Learners[0]), r.Labels[1]
	text := fmt.Sprintf("cost is that of 1,000 examples, a false %s at %s and a missed one at %s: never predicting it"+
		" costs %s, always %s", label, short(c.FalsePositive), short(c.FalseNegative), costText(c.Never),
		costText(c.Always))
	if c.Cut == nil {
		return text + "; no cut of the score is cheaper than never\n"
	}
	return text + fmt.Sprintf("; %s from a score of %s on: %.1f\n", r.Learners[0].Name, short(c.Cut.Score), c.Lowest)
}

func many(o metrics.Optional) metrics.Optional {
	x, known := o.Get()
	if !known {
		return o
	}
	return metrics.Known(perEvents * x)
}

// costText is a cost for 1,000 examples.
func costText(o metrics.Optional) string {
	if x, known := o.Get(); known {
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return "–"
}
