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
type logistic struct {
	schedule
	regularizer
	squares  []float64 // G of the slots and, at the end, of the bias
	rateNow  float64   // of the pending example, as the next two
	gradient float64   // p - t
	weight   float64   // its weight times its label's
}

func newLogistic(s Spec, slots int) method {
	return &logistic{schedule: schedule{s.Rate, s.Decay}, regularizer: newRegularizer(s, slots),
		squares: make([]float64, slots+1)}
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
	if at >= len(l.stamps) || l.squares[at] == 0 {
		return v.at(at)
	}
	return l.after(v.weights[at], (v.clock-l.stamps[at])/math.Sqrt(l.squares[at]))
}

// prepare checks the gradients and sums of squares only. A step is at most rate·weight, so 1e60, and makes no weight
// infinite: half a unit in the last place of the largest float64 is more.
func (l *logistic) prepare(v *vector, e *view) (updated bool, err error) {
	const mostGradient = 1e120 // its square can still be added
	l.rateNow, l.weight = l.at(v.time), e.weight
	l.gradient = sigmoid(e.score)
	if e.label > 0 {
		//mutation:gradient-sign
		l.gradient = -sigmoid(-e.score)
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
		v.bias -= float64(step * l.relative(len(v.weights), l.gradient))
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

// relative adds g² to the squares of a slot and returns g over the root of their sum, -1 to 1 but for rounding.
func (l *logistic) relative(at int, g float64) float64 {
	//mutation:adagrad-sum
	sum := l.squares[at] + float64(g*g)
	if sum == 0 { // g² has underflowed
		return 0
	}
	l.squares[at] = sum
	return g / math.Sqrt(sum)
}

func (l *logistic) probability(score float64) float64 { return sigmoid(score) }

func (l *logistic) start(v *vector, at int) { l.regularizer.start(v.clock, at) }
func (l *logistic) tables() []Column {
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
