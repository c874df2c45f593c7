package learner

// signed is a separator as a class uses it: side is -1 where the class is the negative one of a pair.
type signed struct {
	*separator
	side float64
}

// of lists the separators of a class: its own, in ovo those of its pairs.
func (m *Multi) of(class int) []signed {
	if m.spec.Scheme != OVO {
		return []signed{{&m.separators[class], 1}}
	}
	var own []signed
	for i := range class {
		own = append(own, signed{&m.separators[class*(class-1)/2+i], -1})
	}
	for j := class + 1; j < len(m.classes); j++ {
		own = append(own, signed{&m.separators[j*(j-1)/2+class], 1})
	}
	return own
}

// Bias returns the current bias of a class, in ovo the sum over its pairs.
func (m *Multi) Bias(class int) (bias float64) {
	for _, s := range m.of(class) {
		bias += float64(s.side * s.currentBias())
	}
	return bias
}

// Top is Model.Top of a class. In ovo a weight is the sum over the pairs of the class, signed in its favour; no score
// uses this sum.
func (m *Multi) Top(class, n int) []NamedWeight {
	if m.spec.Scheme != OVO {
		return m.top(n, m.separators[class].currentWeight())
	}
	sums := make([]float64, len(m.prints))
	for _, s := range m.of(class) {
		weight := s.currentWeight()
		for slot := range sums {
			sums[slot] += float64(s.side * weight(uint32(slot)))
		}
	}
	return m.top(n, func(slot uint32) float64 { return sums[slot] })
}

// Explain is Model.Explain for the score of a class. In ovo the weights are those of Top, so products do not add up
// to votes.
func (m *Multi) Explain(class int, x []Feature) []Contribution {
	if m.spec.Scheme != OVO {
		return m.explain(x, m.separators[class].weightsOf(x))
	}
	sums := make([]float64, len(x))
	for _, s := range m.of(class) {
		for i, weight := range s.weightsOf(x) {
			sums[i] += float64(s.side * weight)
		}
	}
	return m.explain(x, sums)
}
