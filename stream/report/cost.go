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
	Lowest    float64          `json:"lowest"` // of all fixed cuts of the score, kept for all examples
	Cut       *metrics.Cut     `json:"cut"`    // that has it; null: never predicting positive has
}

// costsOf are by the cost asked for, else both mistakes cost 1; nil without curves of two labels.
func (r *Report) costsOf(l *Learner) *costs {
	if l.Cuts == nil {
		return nil
	}
	out := &costs{Cost: r.costOrOne()}
	out.Published = many(out.Of(&l.Confusion))
	out.Never, out.Always = many(out.Cost.Never(&l.Confusion)), many(out.Cost.Always(&l.Confusion))
	if out.Lowest = perEvents * l.Cheapest.Cost; !math.IsInf(l.Cheapest.Score, 1) {
		out.Cut = &l.Cheapest.Cut
	}
	return out
}

// Cheapest is the cut of lowest cost, from infinity on where it is never predicting positive.
type Cheapest struct {
	metrics.Cut
	Cost float64 // for each example
}

// SetCuts sets what follows from all cuts. Of the many of a stream a curve draws some, and the cheapest is of all.
func (l *Learner) SetCuts(all []metrics.Cut, cost metrics.Cost) {
	l.Cuts = metrics.FewCuts(all)
	//mutation:cheapest-of-all-cuts
	l.Cheapest.Cut, l.Cheapest.Cost = cost.Best(all, l.Positives.Value())
}

// costOrOne is the cost asked for, or both mistakes cost 1.
func (r *Report) costOrOne() metrics.Cost {
	if r.Cost != nil {
		return *r.Cost
	}
	return metrics.Cost{FalsePositive: 1, FalseNegative: 1}
}

// costColumns is the cost for 1,000 examples, if it is asked for.
func (r *Report) costColumns() []metrics.Column {
	if r.Cost == nil {
		return nil
	}
	return []metrics.Column{{Name: "cost", Title: "cost", Help: "of 1,000 examples", Kind: metrics.Money, Better: -1,
		Of: func(f *metrics.Figures) metrics.Optional { return many(r.Cost.Of(&f.Confusion)) }}}
}

// mostLowest is how many learners' lowest costs are named below the table; JSON has all.
const mostLowest = 8

// costNote says what the costs of the learners are to be compared with.
func (r *Report) costNote() string {
	if r.Cost == nil || len(r.Learners) == 0 || r.Learners[0].Cuts == nil {
		return ""
	}
	c, label := r.costsOf(&r.Learners[0]), r.Labels[1]
	text := fmt.Sprintf("cost is that of 1,000 examples, a false %s at %s and a missed one at %s: never predicting it"+
		" costs %s, always %s", label, short(c.FalsePositive), short(c.FalseNegative), costText(c.Never),
		costText(c.Always))
	text += "\nlowest of one cut for all examples:"
	for i := range r.Learners {
		l := &r.Learners[i]
		switch c := r.costsOf(l); {
		//mutation:lowest-of-each-learner
		case i == mostLowest:
			return text + "; of the others see --json\n"
		case c == nil:
			continue
		case c.Cut == nil:
			text += fmt.Sprintf("%s%s never, %.1f", between(i), l.Name, c.Lowest)
		default:
			text += fmt.Sprintf("%s%s from a score of %s on, %.1f", between(i), l.Name, short(c.Cut.Score), c.Lowest)
		}
	}
	return text + "\n"
}

// between separates the i-th of several from those before it.
func between(i int) string {
	if i == 0 {
		return " "
	}
	return "; "
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
