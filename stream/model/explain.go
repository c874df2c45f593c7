package model

import (
	"cmp"
	"math"
	"slices"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

// Contribution is one feature's part of a score.
type Contribution struct {
	Name         string  `json:"name"`
	Value        float64 `json:"value"` // as scaled
	Weight       float64 `json:"weight"`
	Contribution float64 `json:"contribution"`
}

// Contributions returns the n largest contributions in magnitude to a class's score of an event, equal ones in the
// order of the event. Long names are cut, as in the model: an event may repeat one in thousands of features.
func (p *Processor) Contributions(d *event.Decoder, r *event.Record, class, n int) []Contribution {
	var all []Contribution
	var x []learner.Feature
	d.Walk(r, func(name []byte, f learner.Feature) {
		all, x = append(all, Contribution{Name: string(learner.CutName(name))}), append(x, f)
	})
	for i, c := range p.Explain(class, x) {
		all[i].Value, all[i].Weight, all[i].Contribution = c.Value, c.Weight, c.Product
	}
	slices.SortStableFunc(all, func(a, b Contribution) int {
		return cmp.Compare(math.Abs(b.Contribution), math.Abs(a.Contribution))
	})
	return all[:min(n, len(all))]
}

// Distance is |s|/‖w‖ of a prediction, where norm is Norm of the class predicted, and whether there is one.
func (o *Outcome) Distance(norm float64) (distance float64, has bool) {
	distance = math.Abs(o.Score) / norm
	return distance, norm > 0 && distance <= math.MaxFloat64
}
