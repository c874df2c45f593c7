package learner

import (
	"fmt"
	"strconv"
)

// MultiState is the short part of a Multi's state. It survives encoding/json to the bit.
type MultiState struct {
	Classes    []string      `json:"classes"` // in the order of discovery
	Names      int           `json:"names"`
	Collisions int           `json:"collisions"`
	Vectors    []VectorState `json:"vectors"` // one for each class, in ovo for each pair (i, j), i < j, at j(j-1)/2+i
}

// VectorState is the short part of one vector's state, as it is in State.
type VectorState struct {
	Bias  float64 `json:"bias"`
	Time  int64   `json:"time,omitempty"`
	Clock float64 `json:"clock,omitempty"`
}

// State returns the short part of the state.
func (m *Multi) State() MultiState {
	s := MultiState{Classes: append([]string{}, m.classes...), Names: m.base.names.count, Collisions: m.base.collisions,
		Vectors: make([]VectorState, len(m.units))}
	for i := range m.units {
		s.Vectors[i] = VectorState{m.units[i].bias, m.units[i].time, m.units[i].clock}
	}
	return s
}

// Columns lists the long parts of the state, always in the same order: prints, statistics and names, then those of each
// vector, "0.weights", "1.weights" and so on. To load a model, make one of the same MultiSpec, call Begin, fill the columns of
// fixed length from the saved ones of the same name, and call Restore with the others.
func (m *Multi) Columns() []Column {
	columns := []Column{{Name: columnPrints, Uint16: m.base.prints}}
	switch m.base.scaler.mode {
	case standard:
		columns = append(columns, Column{Name: columnMoments, Float64: m.base.scaler.stats})
	case maxabs:
		columns = append(columns, Column{Name: columnMaxima, Float64: m.base.scaler.stats})
	}
	columns = append(columns, Column{Name: columnNames, Bytes: m.base.names.text})
	for i := range m.units {
		u, prefix := &m.units[i], strconv.Itoa(i)+"."
		if u.weights != nil {
			columns = append(columns, Column{Name: prefix + columnWeights, Float64: u.weights})
		}
		for _, c := range u.tables() {
			c.Name = prefix + c.Name
			columns = append(columns, c)
		}
		if d, ok := u.method.(*dual); ok {
			columns = append(columns, Column{Name: prefix + columnKept, Bytes: d.save()})
		}
	}
	return columns
}

// Begin gives an untrained model the classes of a saved state, so that Columns has room for theirs. More classes than
// MaxClasses are no error: the limit may have been lowered since. Errors are about classes that no stream leads to.
func (m *Multi) Begin(s MultiState) error {
	switch {
	case len(m.classes) != 0:
		return fmt.Errorf("learner: the model has %d classes already", len(m.classes))
	case len(s.Classes) > MostClasses || m.spec.Scheme == OVO && len(s.Classes) > MostClassesOVO:
		return fmt.Errorf("learner: %d classes are more than %s can have", len(s.Classes), m.spec.Scheme)
	case len(s.Vectors) != m.spec.units(len(s.Classes)):
		return fmt.Errorf("learner: %d vectors for %d classes of %s", len(s.Vectors), len(s.Classes), m.spec.Scheme)
	}
	seen := make(map[string]bool, len(s.Classes))
	for i, class := range s.Classes {
		if seen[class] || !knownForm([]byte(class)) {
			return fmt.Errorf("learner: class %d, %.64q: it stands there twice, or is no class's name", i, class)
		}
		seen[class] = true
	}
	for _, class := range s.Classes {
		m.discover(class)
	}
	for range s.Vectors {
		m.units = append(m.units, m.newUnit())
	}
	return nil
}

// Restore completes a model that was begun with the same state, whose columns of fixed length have been filled. texts are the
// columns of Bytes in the order of Columns. It checks all, so that whatever they hold it ends with an error or with a model that
// works; after an error the model is of no use. It keeps copies.
func (m *Multi) Restore(s MultiState, texts ...[]byte) error {
	b := &m.base
	b.phase, b.scored = idle, false
	want := 1
	if m.spec.Learner == Dual {
		want += len(m.units)
	}
	if len(texts) != want || len(s.Vectors) != len(m.units) || len(s.Classes) != len(m.classes) {
		return fmt.Errorf("learner: %d columns of bytes, %d vectors and %d classes: want %d, %d and %d",
			len(texts), len(s.Vectors), len(s.Classes), want, len(m.units), len(m.classes))
	}
	var err error
	if b.met, b.collisions, err = countPrints(b.prints); err != nil {
		return err
	}
	if err := b.scaler.check(); err != nil {
		return err
	}
	if err := b.names.load(texts[0], b.prints); err != nil {
		return err
	}
	if b.names.count != s.Names || b.collisions != s.Collisions {
		return fmt.Errorf("learner: the columns hold %d names and %d collisions, the state says %d and %d",
			b.names.count, b.collisions, s.Names, s.Collisions)
	}
	for i := range m.units {
		if err := m.units[i].restore(s.Vectors[i]); err != nil {
			return fmt.Errorf("vector %d: %w", i, err)
		}
		if d, ok := m.units[i].method.(*dual); ok {
			if err := d.load(texts[1+i]); err != nil {
				return fmt.Errorf("vector %d: %w", i, err)
			}
		}
	}
	return nil
}

// restore checks one vector, whose columns of fixed length have been filled.
func (u *unit) restore(s VectorState) error {
	if !finite(s.Bias) || !(s.Clock >= 0 && finite(s.Clock)) || s.Time < 0 || s.Time > 1<<53 {
		return fmt.Errorf("learner: bias %v, time %d, clock %v: out of range", s.Bias, s.Time, s.Clock)
	}
	u.bias, u.time, u.clock = s.Bias, s.Time, s.Clock
	for slot, w := range u.weights {
		if !finite(w) {
			return slotError(columnWeights, slot, w)
		}
	}
	return u.check(&u.vector)
}

// CopyTo makes dst a model of its own with the same state, in dst's memory where that fits (a zero Multi will do). See
// Model.CopyTo.
func (m *Multi) CopyTo(dst *Multi) {
	if dst.spec != m.spec {
		*dst = Multi{spec: m.spec}
	}
	from, to := &m.base, &dst.base
	to.spec = from.spec
	to.scaler.mode = from.scaler.mode
	to.scaler.stats = copyInto(to.scaler.stats, from.scaler.stats)
	to.prints = copyInto(to.prints, from.prints)
	to.met, to.collisions = from.met, from.collisions
	from.names.copyTo(&to.names)
	to.phase, to.scored = idle, false
	dst.best = -1
	dst.copyClasses(m.classes)
	dst.units = dst.units[:min(len(dst.units), len(m.units))]
	for i := range m.units {
		if i == len(dst.units) {
			dst.units = append(dst.units, unit{method: newMethod(m.spec.Spec, len(from.prints))})
		}
		m.units[i].copyTo(&dst.units[i])
	}
}

// copyClasses takes over the names of the classes.
func (m *Multi) copyClasses(classes []string) {
	same := len(m.classes) <= len(classes) && m.index != nil
	for i := 0; same && i < len(m.classes); i++ {
		same = m.classes[i] == classes[i]
	}
	if !same {
		m.classes, m.index = nil, make(map[string]int, len(classes))
	}
	for _, class := range classes[len(m.classes):] {
		m.discover(class)
	}
	m.spare = nil // they were those of a number of classes that may have been another one
}

func (u *unit) copyTo(dst *unit) {
	dst.weights = copyInto(dst.weights, u.weights)
	dst.bias, dst.time, dst.clock = u.bias, u.time, u.clock
	to := dst.tables()
	for i, from := range u.tables() {
		copyAll(to[i].Float64, from.Float64)
	}
	if d, ok := u.method.(*dual); ok {
		d.copyTo(dst.method.(*dual))
	}
}
