package learner

// signed is a unit as a class sees it: side is -1 where the class is the negative one of a pair.
type signed struct {
	*unit
	side float64
}

// of lists the units that speak for or against a class alone: its own vector, in ovo the pairs it is in.
func (m *Multi) of(class int) []signed {
	if m.spec.Scheme != OVO {
		return []signed{{&m.units[class], 1}}
	}
	var own []signed
	for i := range class {
		own = append(own, signed{&m.units[class*(class-1)/2+i], -1})
	}
	for j := class + 1; j < len(m.classes); j++ {
		own = append(own, signed{&m.units[j*(j-1)/2+class], 1})
	}
	return own
}

// as is a unit in the shape of a Model that must only be read.
func (m *Multi) as(u *unit) *Model {
	one := m.base
	one.vector, one.method = u.vector, u.method
	return &one
}

// Bias returns the bias of a class, as the next score will have it. In ovo it is the sum over its pairs.
func (m *Multi) Bias(class int) (bias float64) {
	for _, s := range m.of(class) {
		bias += float64(s.side * m.as(s.unit).Bias())
	}
	return bias
}

// Top returns the n weights of a class (0 to len(Classes())-1) of largest magnitude; see Model.Top. In ovo a weight is the sum over
// the pairs of the class, each with the sign that speaks for it: it says what the class is known by, though no score has it.
func (m *Multi) Top(class, n int) []NamedWeight {
	own := m.of(class)
	if len(own) == 1 && own[0].side == 1 {
		return m.as(own[0].unit).Top(n)
	}
	sum := unit{method: &passive{}}
	sum.weights = make([]float64, len(m.base.prints))
	for _, s := range own {
		weight := m.as(s.unit).weight()
		for slot := range sum.weights {
			sum.weights[slot] += float64(s.side * weight(uint32(slot)))
		}
	}
	return m.as(&sum).Top(n)
}

// Explain takes the score of a class (0 to len(Classes())-1) apart; see Model.Explain. In ovo each weight is the sum over the pairs of
// the class, as in Top, so products add up to a sum of scores and not to votes.
func (m *Multi) Explain(class int, x []Feature) []Contribution {
	own := m.of(class)
	if len(own) == 1 && own[0].side == 1 {
		return m.as(own[0].unit).Explain(x)
	}
	parts := make([]Contribution, len(x))
	for i, f := range x {
		parts[i] = Contribution{Slot: f.Slot, Value: m.base.scaler.value(f)}
	}
	for _, s := range own {
		for i, p := range m.as(s.unit).Explain(x) {
			parts[i].Weight += float64(s.side * p.Weight)
		}
	}
	for i := range parts {
		parts[i].Product = parts[i].Weight * parts[i].Value
	}
	return parts
}
