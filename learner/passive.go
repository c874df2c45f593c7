package learner

// passive is the passive-aggressive learner: it moves just far enough to have y·s = 1 on the current example
// (Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, Journal of Machine Learning Research 7, 2006). With the hinge
// loss l = max(0, 1 - y·s) and the squared norm n = ‖(x, 1)‖², (w, b) += τ·y·(x, 1) where
//
//	pa:  τ = min(1, v)·l/n
//	pa1: τ = min(C·v, l/n)
//	pa2: τ = l/(n + 1/(2C·v))
//
// With a bias n is at least 1. v, the weight of the example times that of its label, multiplies the price C of its
// loss, as in the optimization that pa1 and pa2 solve; pa has no such price, and a weight under 1 shortens its step. So
// no weight moves the score beyond y·s = 1: after a longer step an example with the other label would have a larger
// loss, and under noise scores would grow without bound. scikit-learn (PassiveAggressiveClassifier) computes τ for
// v = 1 and multiplies it by v.
type passive struct {
	additive
	kind string
	c    float64
}

func newPassive(s Spec, _ int) method {
	return &passive{kind: s.Learner, c: s.C}
}

func (p *passive) prepare(v *vector, e *view) (updated bool, err error) {
	loss := 1 - float64(e.label*e.score)
	if loss <= 0 {
		return false, nil
	}
	p.factor = e.label * p.step(loss, e.norm, e.weight)
	if !v.room(e.x, p.factor) {
		return false, ErrOverflow
	}
	return p.factor != 0, nil
}

// step is τ of an example with a loss.
func (p *passive) step(loss, norm, weight float64) float64 {
	if norm == 0 { // without a bias
		return 0
	}
	switch p.kind {
	case PA1:
		return min(p.c*weight, loss/norm)
	case PA2:
		return loss / (norm + 1/(2*p.c*weight))
	}
	return float64(min(1, weight) * (loss / norm))
}
