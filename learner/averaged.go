package learner

import "strconv"

// averaged is a perceptron that predicts with the mean of its weights (Freund and Schapire, Machine Learning 37,
// 1999: averaging). The score of the weights themselves decides when it learns. The mean is over the weights after
// each labelled example, learned from or not; before the first it is the start weights.
type averaged struct {
	additive
	rule
	rate float64
	mean
	raw float64 // score of the weights themselves
}

func newAveraged(s Spec, slots int) method {
	return &averaged{rule: newRule(s), rate: s.Rate, mean: newMean(s, slots)}
}

func (a *averaged) predict(v *vector, x []Feature) (score, norm float64) {
	at := a.now(v.time)
	a.raw = 0
	for i := range x {
		slot, value := int(x[i].Slot), x[i].Value
		w := v.weights[slot]
		a.raw += float64(w * value)
		score += float64(a.of(&at, w, slot) * value)
		norm += float64(value * value)
	}
	a.raw += v.bias
	return score + a.of(&at, v.bias, len(v.weights)), norm
}

func (a *averaged) effective(v *vector, at int) float64 {
	now := a.now(v.time)
	return a.of(&now, v.at(at), at)
}

// prepare checks the score of the weights only; Predict checks that of the mean. Steps are the perceptron's, too
// small to make a weight infinite. Lags are at most 2^53 times as large, and a sum over a block that is not finite
// makes Predict's score not finite.
func (a *averaged) prepare(v *vector, e *view) (updated bool, err error) {
	if !finite(a.raw) {
		return false, ErrOverflow
	}
	if !a.due(a.raw, e.label) {
		return false, nil
	}
	a.factor = e.label * float64(a.rate*e.weight)
	return true, nil
}

func (a *averaged) learn(v *vector, x []Feature, updated bool) {
	if updated {
		at := a.now(v.time)
		for i := range x {
			if slot := x[i].Slot; x[i].Value != 0 {
				delta := float64(a.factor * x[i].Value)
				a.move(&at, v.weights[slot], int(slot), delta)
				v.weights[slot] += delta
			}
		}
		delta := float64(a.factor * v.one)
		a.move(&at, v.bias, len(v.weights), delta)
		v.bias += delta
	}
	v.time++
}

func (a *averaged) start(v *vector, at int) {
	now := a.now(v.time)
	a.restart(&now, v.at(at), at)
}

func (a *averaged) tables() []Column      { return a.mean.tables() }
func (a *averaged) check(v *vector) error { return a.mean.check(v.time) }

// tables lists what is kept of each slot. The column names contain the window or decay: the columns are of no use to
// another one, which starts with the weights as they are.
func (m *mean) tables() []Column {
	suffix := ""
	switch {
	case m.fade != 0:
		suffix = "-decay-" + strconv.FormatFloat(m.fade, 'g', -1, 64)
	case m.before != nil:
		suffix = "-window-" + strconv.Itoa(m.window)
	}
	columns := []Column{{Name: columnLags + suffix, Float64: m.lags}}
	if m.stamps != nil {
		columns = append(columns, Column{Name: columnStamps + suffix, Float64: m.stamps})
	}
	if m.before != nil {
		columns = append(columns, Column{Name: columnBefore + suffix, Float64: m.before})
	}
	return columns
}

// check refuses stamps from the future and sums that no stream leads to.
func (m *mean) check(time int64) error {
	const large = 1e290
	newest := float64(m.now(time).stamp)
	for at, lag := range m.lags {
		switch {
		case !(lag >= -large && lag <= large):
			return slotError(columnLags, at, lag)
		case m.stamps != nil &&
			!(m.stamps[at] >= 0 && m.stamps[at] <= newest && m.stamps[at] == float64(int64(m.stamps[at]))):
			return slotError(columnStamps, at, m.stamps[at])
		case m.before != nil && !(m.before[at] >= -large && m.before[at] <= large):
			return slotError(columnBefore, at, m.before[at])
		}
	}
	return nil
}
