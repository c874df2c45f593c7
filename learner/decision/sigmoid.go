package decision

import (
	"math"

	"rosenblatt/learner/internal/exact"
)

// steps is into how many steps a power of two is divided in a table of exponentials.
const steps = 64

// powers has 2^(i/64), made with exact.Exp.
var powers = func() (out [steps]float64) {
	for i := range out {
		out[i] = exact.Exp(float64(i) / steps * math.Ln2)
	}
	return out
}()

// exp is e^x for x <= 0, in a third of the time of exact.Exp, with the same bits on every machine: with
// x = k·ln2/64 + r, |r| <= ln2/128, it is 2^(k/64) times Taylor's series up to r^5. It is within some units in the last
// place of the true one.
func exp(x float64) float64 {
	const ln2High, ln2Low = 0x1.62e42feep-1 / steps, 0x1.a39ef35793c76p-33 / steps
	if x < -700 {
		return exact.Exp(x)
	}
	k := math.Floor(float64(x*(steps*math.Log2E)) + 0.5)
	r := (x - float64(k*ln2High)) - float64(k*ln2Low)
	tail := 1.0/24 + float64(r*(1.0/120))
	tail = 1.0/6 + float64(r*tail)
	tail = 0.5 + float64(r*tail)
	tail = 1 + float64(r*tail)
	n := int(k)
	scale := math.Float64frombits(uint64(1023+n>>6) << 52)
	return scale * (powers[n&(steps-1)] * (1 + float64(r*tail)))
}

// Sigmoid is the probability that has these log-odds.
func Sigmoid(t float64) float64 {
	if t >= 0 {
		return 1 / (1 + exp(-t))
	}
	e := exp(t)
	return e / (1 + e)
}
