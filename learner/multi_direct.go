package learner

// prepareDirect decides about a vector for each class, w_c with the bias b_c as a feature of value 1. Of an example of class y
// with the score s_c for each class, the rival is
//
//	perceptron, averaged:  the class predicted (by averaged's own weights, not by their means), if that is wrong
//	pa, pa1, pa2:          the best class besides y, if l = 1 - (s_y - s_rival) is over 0
//
// and w_y += τ·(x, 1), w_rival -= τ·(x, 1). For the perceptrons τ is the rate; there is no threshold. For the others, since
// (x, 1) is there twice, with n = ‖(x, 1)‖² (Crammer et al. 2006, section 7, with the rival by prediction)
//
//	pa:  τ = l/(2n)
//	pa1: τ = min(C, l/(2n))
//	pa2: τ = l/(2n + 1/(2C))
//
// The example's weight multiplies τ. Without a rival, as on the very first example, nothing moves. A class not met before
// has scored 0.
func (m *Multi) prepareDirect(weight float64) (updated bool, err error) {
	for i := range m.turns {
		m.turns[i] = learns // time goes by for all
		if p, ok := m.at(i).method.(*perceptron); ok {
			p.rateNow = p.at(m.at(i).time)
		}
	}
	rival, step, err := m.rival()
	if err != nil || rival < 0 {
		return false, err
	}
	if step = float64(step * weight); step == 0 {
		return false, nil
	}
	x := m.view.x
	if _, safe := m.at(rival).method.(*perceptron); !safe { // see perceptron.prepare
		if !m.at(rival).room(x, step) || !m.at(m.label).room(x, step) {
			return false, ErrOverflow
		}
	}
	m.at(m.label).setFactor(step)
	m.at(rival).setFactor(-step)
	m.turns[m.label], m.turns[rival] = moves, moves
	return true, nil
}

// rival is the class to take from, -1 for none, and the step for a weight of 1.
func (m *Multi) rival() (rival int, step float64, err error) {
	switch l := m.at(m.label).method.(type) {
	case *perceptron:
		return unless(m.best, m.label), l.rateNow, nil
	case *averaged:
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
		return unless(best, m.label), l.rate, nil
	case *passive:
		rival = largest(m.scores, m.label)
		if rival < 0 {
			return -1, 0, nil
		}
		loss := 1 - (m.raw[m.label] - m.raw[rival])
		if loss <= 0 {
			return -1, 0, nil
		}
		return rival, l.step(loss, 2*m.view.norm), nil
	}
	return -1, 0, nil
}

// unless is a class, but -1 for the one that is right.
func unless(class, right int) int {
	if class == right {
		return -1
	}
	return class
}

// step is τ for a loss and the squared norm of what it is a factor of.
func (p *passive) step(loss, norm float64) float64 {
	switch p.kind {
	case PA1:
		return min(p.c, loss/norm)
	case PA2:
		return loss / (norm + 1/(2*p.c))
	}
	return loss / norm
}

// setFactor is what (x, 1) is to be multiplied by in learn.
func (u *separator) setFactor(factor float64) {
	switch l := u.method.(type) {
	case *perceptron:
		l.factor = factor
	case *averaged:
		l.factor = factor
	case *passive:
		l.factor = factor
	}
}
