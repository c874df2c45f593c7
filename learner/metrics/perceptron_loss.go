package metrics

import "math"

// perceptronLoss sums -y·s over the mistakes: steps of the perceptron descend that sum.
type perceptronLoss struct {
	begun bool // false in what an earlier version saved, until the next example
	perceptronLossState
}

// perceptronLossState is a perceptronLoss in JSON.
type perceptronLossState struct {
	Since  int64   `json:"since,omitempty"` // examples before the first one that is in the sums
	Sum    float64 `json:"sum"`
	Fading float64 `json:"fading"`
}

// add takes the loss of an example and how many came before it.
func (l *perceptronLoss) add(before int64, loss float64) {
	if !l.begun {
		l.begun, l.Since = true, before
	}
	l.Sum = min(l.Sum+loss, math.MaxFloat64)
	l.Fading = min(faded(l.Fading)+loss, math.MaxFloat64)
}

// since returns how many of the examples are not in the sums.
func (l *perceptronLoss) since(examples int64) int64 {
	if !l.begun {
		return examples
	}
	return l.Since
}

// state returns nil for nothing to save.
func (l *perceptronLoss) state() *perceptronLossState {
	if !l.begun {
		return nil
	}
	return &l.perceptronLossState
}

// load reads a saved state, nil for none. It returns false for an invalid one.
func (l *perceptronLoss) load(s *perceptronLossState, examples int64) bool {
	if s == nil {
		return true
	}
	*l = perceptronLoss{true, *s}
	return s.Since >= 0 && s.Since < examples && s.Fading >= 0 && s.Fading <= s.Sum
}
