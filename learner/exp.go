package learner

import "rosenblatt/learner/internal/exact"

// expComplement is 1 - e^-z for z >= 0, near 0 by Taylor's series up to z^7: the difference would lose digits.
func expComplement(z float64) float64 {
	if z > 1.0/64 {
		return 1 - exact.Exp(-z)
	}
	tail := 1.0 / 5040
	for _, c := range [...]float64{1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1} {
		tail = c - float64(tail*z)
	}
	return float64(tail * z)
}

// sigmoid is 1/(1 + e^-s), the probability of label 1 at score s, without overflow for either sign.
func sigmoid(s float64) float64 {
	if s >= 0 {
		return 1 / (1 + exact.Exp(-s))
	}
	e := exact.Exp(s)
	return e / (1 + e)
}
