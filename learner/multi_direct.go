package learner

// prepareDirect decides about an example with a vector w_c for each class, the bias being the weight of a feature of
// value 1. Of an example of class y with the score s_c for each class, the rival is
//
//	perceptron, averaged:  the class predicted (by averaged's own weights, not by their means), if that is wrong:
//	                       where scores tie and it is right, nothing moves, as with update=mistake
//	pa, pa1, pa2:          the best class besides y, if l = 1 - (s_y - s_rival) is over 0
//
// and w_y += τ·(x, 1), w_rival -= τ·(x, 1). For the perceptrons τ is the rate; there is no threshold. For the
// others (x, 1) counts twice; with n = ‖(x, 1)‖² and the example's weight v (Crammer et al. 2006, section 7, with
// the rival by prediction)
//
//	pa:  τ = min(1, v)·l/(2n)
//	pa1: τ = min(C·v, l/(2n))
//	pa2: τ = l/(2n + 1/(2C·v))
//
// Of the perceptrons the weight multiplies τ. Without a rival nothing moves. A new class has score 0.
func (m *Multi) prepareDirect(weight float64) (updated bool, err error) {
	for i := range m.turns {
		m.turns[i] = learns // time passes for all
	}
	own := m.at(m.label)
	class, step, err := own.method.(directMethod).rival(m, weight)
	if err != nil || class < 0 || step == 0 {
		return false, err
	}
	rival := m.at(class)
	if x := m.view.x; !rival.room(x, step) || !own.room(x, step) {
		return false, ErrOverflow
	}
	own.method.(directMethod).setFactor(step)
	rival.method.(directMethod).setFactor(-step)
	m.turns[m.label], m.turns[class] = moves, moves
	return true, nil
}

type directMethod interface {
	// rival returns the class to subtract from, -1 for none, and the step.
	rival(m *Multi, weight float64) (class int, step float64, err error)
	setFactor(factor float64) // of (x, 1) in learn
}

func (p *perceptron) rival(m *Multi, weight float64) (class int, step float64, err error) {
	return unless(m.best, m.label), float64(p.at(m.at(m.label).time) * weight), nil
}

// rival is the class that the weights themselves predict, not their means.
func (a *averaged) rival(m *Multi, weight float64) (class int, step float64, err error) {
	best, most := -1, 0.0
	for i := range m.separators {
		raw := m.separators[i].method.(*averaged).raw
		if !finite(raw) {
			return -1, 0, ErrOverflow
		}
		if best < 0 || raw > most {
			best, most = i, raw
		}
	}
	return unless(best, m.label), float64(a.rate * weight), nil
}

func (p *passive) rival(m *Multi, weight float64) (class int, step float64, err error) {
	class = largest(m.scores, m.label)
	if class < 0 {
		return -1, 0, nil
	}
	loss := 1 - (m.raw[m.label] - m.raw[class])
	if loss <= 0 {
		return -1, 0, nil
	}
	//mutation:direct-norm
	return class, p.step(loss, 2*m.view.norm, weight), nil
}

// unless is a class, but -1 for the right one.
func unless(class, right int) int {
	if class == right {
		return -1
	}
	return class
}
