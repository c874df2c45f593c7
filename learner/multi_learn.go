package learner

// Prepare is Model.Prepare. A new label is a class that Learn will discover, whatever its weight. Errors besides: a
// label that is not UTF-8 or too long, ErrTooManyClasses.
func (m *Multi) Prepare(label []byte, weight float64) (updated bool, err error) {
	if err := m.prepares(weight); err != nil {
		return false, err
	}
	if m.label = m.ClassOf(label); m.label < 0 {
		switch {
		case !isClassName(label):
			return false, errClass
		case len(m.classes) >= m.spec.MaxClasses:
			return false, ErrTooManyClasses
		}
		m.label = len(m.classes)
		m.named = append(m.named[:0], label...)
		m.addSpare()
	}
	m.raw = m.raw[:len(m.separators)]
	m.turns = m.turns[:0]
	for i := range m.size() {
		m.turns = append(m.turns, skips)
		if i < len(m.separators) {
			continue
		}
		u := m.at(i)
		s, _ := u.predict(&u.vector, m.view.x) // 0; methods keep what prepare needs
		m.raw = append(m.raw, s)
	}
	if weight > 0 {
		if updated, err = m.prepare(weight); err != nil {
			return false, err
		}
	}
	if m.view.norm == 0 && m.spec.linear() {
		updated = m.stay()
	}
	m.phase = prepared
	return updated, nil
}

// stay has no separator move: of an example without a value other than 0, and without a bias, there is nothing to add.
func (m *Multi) stay() (updated bool) {
	for i, t := range m.turns {
		m.turns[i] = min(t, learns)
	}
	return false
}

// Label is the number of the class of the example last prepared, known or new.
func (m *Multi) Label() int { return m.label }

// Steps counts the binary learners that the example last prepared updates; of direct it is 0 or 1.
func (m *Multi) Steps() (steps int) {
	for _, t := range m.turns {
		if t == moves {
			steps++
		}
	}
	if m.spec.Scheme == Direct {
		steps /= 2
	}
	return steps
}

// size is how many separators there are once the example is learned.
func (m *Multi) size() int {
	if m.label < len(m.classes) {
		return len(m.separators)
	}
	return m.spec.separators(len(m.classes) + 1)
}

func (m *Multi) at(i int) *separator {
	if i < len(m.separators) {
		return &m.separators[i]
	}
	return &m.spare[i-len(m.separators)]
}

// addSpare provides the separators of one more class. A new vector of direct has passed the time of the others, so
// that one step is the same on both of its sides.
func (m *Multi) addSpare() {
	for len(m.separators)+len(m.spare) < m.spec.separators(len(m.classes)+1) {
		m.spare = append(m.spare, newSeparator(m.spec.Spec, len(m.separators)+len(m.spare)))
	}
	if m.spec.Scheme == Direct && len(m.separators) > 0 {
		u := &m.spare[0]
		u.time, u.clock = m.separators[0].time, m.separators[0].clock
		if m.spec.StartWeights != "" { // they start now
			for at := range len(u.weights) + 1 {
				u.start(&u.vector, at)
			}
		}
	}
}

func (m *Multi) prepare(weight float64) (updated bool, err error) {
	switch m.spec.Scheme {
	case Direct:
		return m.prepareDirect(weight)
	case OVA:
		for i := range m.size() {
			label := int8(-1)
			if i == m.label {
				label = 1
			}
			if err := m.prepareOne(i, label, weight, &updated); err != nil {
				return false, err
			}
		}
		return updated, nil
	}
	for i := range m.label { // the class is the later one of the pair
		if err := m.prepareOne(m.label*(m.label-1)/2+i, -1, weight, &updated); err != nil {
			return false, err
		}
	}
	for j := m.label + 1; j < len(m.classes); j++ {
		if err := m.prepareOne(j*(j-1)/2+m.label, 1, weight, &updated); err != nil {
			return false, err
		}
	}
	return updated, nil
}

func (m *Multi) prepareOne(i int, label int8, weight float64, updated *bool) error {
	u, e := m.at(i), &m.view
	e.score, e.label, e.weight = m.raw[i], float64(label), m.spec.weighted(label, weight)
	if e.weight == 0 {
		return nil
	}
	moved, err := u.prepare(&u.vector, e)
	switch {
	case err != nil:
		return err
	case moved:
		m.turns[i], *updated = moves, true
	default:
		m.turns[i] = learns
	}
	return nil
}

// Learn is Model.Learn. It also learns a new class.
func (m *Multi) Learn() (fresh bool) {
	if m.phase != prepared {
		return false
	}
	m.phase = idle
	if m.label == len(m.classes) {
		m.separators = append(m.separators, m.spare...)
		m.spare = nil
		m.discover(string(m.named))
	}
	fresh = m.recordExample(m.number, m.view.x, 0)
	for i, t := range m.turns {
		if t != skips {
			u := &m.separators[i]
			u.learn(m.view.x, t == moves, 0)
		}
	}
	return fresh
}

func (m *Multi) discover(class string) {
	m.index[class] = len(m.classes)
	m.classes = append(m.classes, class)
}

// ForgetWeights is Model.ForgetWeights. The classes stay.
func (m *Multi) ForgetWeights() {
	m.reset()
	m.best, m.spare = -1, nil
	for i := range m.separators {
		m.separators[i].forget()
	}
}

// Admits reports whether a label is a known class or may become one, without ErrTooManyClasses.
func (m *Multi) Admits(label []byte) bool {
	return len(m.classes) < m.spec.MaxClasses || m.ClassOf(label) >= 0
}
