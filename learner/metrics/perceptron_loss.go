package metrics

import "math"

// perceptronLoss sums -y·s over the mistakes: steps of the perceptron descend that sum.
type perceptronLoss struct {
	Sum    float64 `json:"sum"`
	Fading float64 `json:"fading"`
}

// add takes the loss of an example.
func (l *perceptronLoss) add(loss float64) {
	l.Sum = min(l.Sum+loss, math.MaxFloat64)
	l.Fading = min(faded(l.Fading)+loss, math.MaxFloat64)
}

// valid reports whether add made a saved state.
func (l *perceptronLoss) valid() bool { return l.Fading >= 0 && l.Fading <= l.Sum }
