package learner

import "math"

// logistic is logistic regression by stochastic gradient descent with AdaGrad's rate for each weight (Duchi, Hazan
// and Singer, Journal of Machine Learning Research 12, 2011). The probability of label 1 is p = 1/(1 + e^-s). Of
// every labelled example, with t = 1 for label 1 and 0 for label -1, g_i = (p - t)·x_i is the gradient of the
// log-loss, and
//
//	G_i += g_i²
//	w_i -= rate·g_i/√G_i
//
// where G_i includes this example and the bias is a feature of value 1. Where g_i is 0 nothing moves. The weights of
// example and label scale the step only: in G they would cancel out. The speed of l1 and l2 is divided by √G_i too,
// as in AdaGrad; a start weight does not shrink before its first gradient.
//
// All sums grow, so the weights of a long stream hardly move any more. For streams whose separator moves, window=N
// multiplies G_i by 1 - |p-t|/N before each gradient of the weight: old gradients fade as errors add up to N. Were it
// 1 - 1/N, G would vanish with the gradients where predictions are right for long, and scores would grow in proportion
// to the time: too far to turn round. schedule=constant has no G: w_i -= rate·g_i, the usual stochastic gradient
// descent.
type logistic struct {
	schedule
	regularizer
	squares  []float64 // G of the slots and, at the end, of the bias; nil for a constant rate
	forget   float64   // 1/N of a window, or 0
	keep     float64   // of G before a gradient of the pending example
	rateNow  float64   // of the pending example, as the next two
	gradient float64   // p - t
	weight   float64   // its weight times its label's
}

func newLogistic(s Spec, slots int) method {
	l := &logistic{schedule: schedule{s.Rate, s.Decay}, regularizer: newRegularizer(s, slots)}
	if s.Schedule != ScheduleConstant {
		l.squares = make([]float64, slots+1)
	}
	if s.Window != 0 {
		l.forget = 1 / float64(s.Window)
	}
	return l
}

func (l *logistic) predict(v *vector, x []Feature) (score, norm float64) {
	if !l.on() {
		return v.product(x)
	}
	for i := range x {
		value := x[i].Value
		score += float64(l.effective(v, int(x[i].Slot)) * value)
		norm += float64(value * value)
	}
	return score + v.bias, norm
}

func (l *logistic) effective(v *vector, at int) float64 {
	switch {
	case at >= len(l.stamps):
		return v.at(at)
	case l.squares == nil:
		return l.after(v.weights[at], v.clock-l.stamps[at])
	case l.squares[at] == 0:
		return v.weights[at]
	}
	return l.after(v.weights[at], (v.clock-l.stamps[at])/math.Sqrt(l.squares[at]))
}

// prepare checks of AdaGrad the gradients and sums of squares only. A step is at most rate·weight, so 1e60, and makes
// no weight infinite: half a unit in the last place of the largest float64 is more.
func (l *logistic) prepare(v *vector, e *view) (updated bool, err error) {
	const mostGradient = 1e120 // its square can still be added
	l.rateNow, l.weight = l.at(v.time), e.weight
	l.gradient = sigmoid(e.score)
	if e.label > 0 {
		//mutation:gradient-sign
		l.gradient = -sigmoid(-e.score)
	}
	//mutation:window-errors
	l.keep = 1 - float64(l.forget*math.Abs(l.gradient))
	if l.squares == nil {
		if !v.room(e.x, float64(l.rateNow*l.weight)*l.gradient) {
			return false, ErrOverflow
		}
		return l.gradient != 0, nil
	}
	for i := range e.x {
		if math.Abs(l.gradient*e.x[i].Value) > mostGradient || l.squares[e.x[i].Slot] > most {
			return false, ErrOverflow
		}
	}
	return l.gradient != 0, nil
}

func (l *logistic) learn(v *vector, x []Feature, updated bool) {
	if updated {
		step := float64(l.rateNow * l.weight)
		for i := range x {
			if slot := x[i].Slot; x[i].Value != 0 {
				l.settle(v, int(slot))
				v.weights[slot] -= float64(step * l.relative(int(slot), float64(l.gradient*x[i].Value)))
			}
		}
		v.bias -= float64(step * l.relative(len(v.weights), l.gradient*v.one))
	}
	if l.decay != 0 {
		v.time++
	}
	if l.on() {
		v.clock += l.rateNow
	}
}

func (l *logistic) settle(v *vector, slot int) {
	if l.on() {
		v.weights[slot] = l.effective(v, slot)
		l.stamps[slot] = v.clock
	}
}

// relative adds g² to the squares of a slot and returns g over the root of their sum, -1 to 1 but for rounding. With a
// constant rate it returns g.
func (l *logistic) relative(at int, g float64) float64 {
	if l.squares == nil {
		return g
	}
	//mutation:adagrad-sum
	sum := float64(l.keep*l.squares[at]) + float64(g*g)
	if sum == 0 { // g² has underflowed
		return 0
	}
	l.squares[at] = sum
	return g / math.Sqrt(sum)
}

func (l *logistic) probability(score float64) float64 { return sigmoid(score) }

func (*logistic) begin()                    {}
func (l *logistic) start(v *vector, at int) { l.regularizer.start(v.clock, at) }
func (l *logistic) tables() []Column {
	if l.squares == nil {
		return l.regularizer.tables()
	}
	return append([]Column{{Name: columnSquares, Float64: l.squares}}, l.regularizer.tables()...)
}

func (l *logistic) check(v *vector) error {
	for slot, sum := range l.squares {
		if !(sum >= 0 && finite(sum)) {
			return slotError(columnSquares, slot, sum)
		}
	}
	return l.regularizer.check(v)
}
