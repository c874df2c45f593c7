package learner

import "rosenblatt/learner/internal/exact"

// LogScale is sign(v)·ln(1+|v|) of a finite v, with the same bits on every machine: 0 stays 0, and what is large comes
// near to what is small.
func LogScale(v float64) float64 {
	if v < 0 {
		return -exact.LogOnePlus(-v)
	}
	return exact.LogOnePlus(v)
}
