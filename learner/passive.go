package learner

// passive is the passive-aggressive learner: it moves just far enough to have y·s = 1 on the current example
// (Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, Journal of Machine Learning Research 7, 2006). With the hinge
// loss l = max(0, 1 - y·s) and the squared norm n = ‖(x, 1)‖², (w, b) += τ·y·(x, 1) where
//
//	pa:  τ = l/n
//	pa1: τ = min(C, l/n)
//	pa2: τ = l/(n + 1/(2C))
//
// n is at least 1. The weights of example and label scale τ after C has bounded it.
type passive struct {
	additive
	kind string
	c    float64
}

func newPassive(s Spec, _ int) method { return &passive{kind: s.Learner, c: s.C} }

func (p *passive) prepare(v *vector, e *view) (updated bool, err error) {
	loss := 1 - float64(e.label*e.score)
	if loss <= 0 {
		return false, nil
	}
	p.factor = e.label * float64(p.step(loss, e.norm)*e.weight)
	if !v.room(e.x, p.factor) {
		return false, ErrOverflow
	}
	return p.factor != 0, nil
}

func (p *passive) step(loss, norm float64) float64 {
	switch p.kind {
	case PA1:
		return min(p.c, loss/norm)
	case PA2:
		return loss / (norm + 1/(2*p.c))
	}
	return loss / norm
}
