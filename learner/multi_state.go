package learner

import (
	"fmt"
	"slices"
	"strconv"
)

// MultiState is the short part of a Multi's state. It survives encoding/json to the bit.
type MultiState struct {
	Classes    []string      `json:"classes"` // in the order of discovery
	Names      int           `json:"names"`
	Collisions int           `json:"collisions"`
	Vectors    []VectorState `json:"vectors"` // of each class, in ovo of each pair (i, j), i < j, at j(j-1)/2+i
}

// State returns the short part of the state.
func (m *Multi) State() MultiState {
	s := MultiState{Classes: append([]string{}, m.classes...), Names: m.names.count, Collisions: m.collisions,
		Vectors: make([]VectorState, len(m.separators))}
	for i := range m.separators {
		s.Vectors[i] = m.separators[i].state()
	}
	return s
}

// Columns lists the long parts of the state, always in the same order: prints, statistics and names, then those of
// each separator, "0.weights" and so on. To load a model, call Begin, then go on as with a Model.
func (m *Multi) Columns() []Column {
	columns := append(m.table.columns(), m.namesColumn())
	for i := range m.separators {
		weights, tables, kept := m.separators[i].columns(strconv.Itoa(i) + ".")
		columns = append(append(append(columns, weights...), tables...), kept...)
	}
	return columns
}

// Begin gives an untrained model the classes of a saved state, so that Columns has theirs. More classes than
// MaxClasses are no error, since the limit may have been lowered. It refuses classes that no stream leads to.
func (m *Multi) Begin(s MultiState) error {
	switch {
	case len(m.classes) != 0:
		return fmt.Errorf("learner: the model has %d classes already", len(m.classes))
	case len(s.Classes) > MostClasses || m.spec.Scheme == OVO && len(s.Classes) > MostClassesOVO:
		return fmt.Errorf("learner: %d classes are more than %s can have", len(s.Classes), m.spec.Scheme)
	case len(s.Vectors) != m.spec.separators(len(s.Classes)):
		return fmt.Errorf("learner: %d vectors for %d classes of %s", len(s.Vectors), len(s.Classes), m.spec.Scheme)
	}
	seen := make(map[string]bool, len(s.Classes))
	for i, class := range s.Classes {
		if seen[class] || !isClassName([]byte(class)) {
			return fmt.Errorf("learner: class %d, %.64q: duplicate or invalid", i, class)
		}
		seen[class] = true
	}
	for _, class := range s.Classes {
		m.discover(class)
	}
	for i := range s.Vectors {
		m.separators = append(m.separators, newSeparator(m.spec.Spec, i))
	}
	return nil
}

// Restore is Model.Restore, after Begin with the same state.
func (m *Multi) Restore(s MultiState, texts ...[]byte) error {
	m.reset()
	each := textColumns(m.spec.Spec)
	if len(texts) != 1+each*len(m.separators) || len(s.Vectors) != len(m.separators) ||
		len(s.Classes) != len(m.classes) {
		return fmt.Errorf("learner: %d columns of bytes, %d vectors and %d classes: want %d, %d and %d",
			len(texts), len(s.Vectors), len(s.Classes), 1+each*len(m.separators), len(m.separators), len(m.classes))
	}
	if err := m.table.restore(texts[0], s.Names, s.Collisions); err != nil {
		return err
	}
	for i := range m.separators {
		if err := m.separators[i].restore(s.Vectors[i], texts[1+each*i:]); err != nil {
			return fmt.Errorf("vector %d: %w", i, err)
		}
	}
	return nil
}

// ClearChanged is Model.ClearChanged.
func (m *Multi) ClearChanged() {
	clearChanged(m.groups())
	m.names.kept = len(m.names.text)
}

// CopyTo is Model.CopyTo.
func (m *Multi) CopyTo(dst *Multi) {
	dst.become(m.spec)
	m.copyRest(dst)
	copyGroups(m.groups(), dst.groups())
	copyAll(dst.names.known, m.names.known)
}

func (m *Multi) become(spec MultiSpec) {
	if m.spec != spec {
		*m = Multi{spec: spec, index: make(map[string]int), best: -1, table: newTable(spec.Spec)}
	}
}

func (m *Multi) groups() []*group {
	groups := m.table.groups()
	for i := range m.separators {
		groups = append(groups, m.separators[i].group)
	}
	return groups
}

func (m *Multi) copyRest(to replicated) {
	dst := to.(*Multi)
	m.table.copyRest(dst.table)
	dst.reset()
	dst.best = -1
	dst.copyClasses(m.classes)
	dst.separators = dst.separators[:min(len(dst.separators), len(m.separators))]
	for i := range m.separators {
		if i == len(dst.separators) {
			dst.separators = append(dst.separators, newSeparator(m.spec.Spec, i))
		}
		m.separators[i].copyRest(&dst.separators[i])
	}
}

func (m *Multi) copyClasses(classes []string) {
	n := len(m.classes)
	if m.index == nil || n > len(classes) || !slices.Equal(m.classes, classes[:n]) {
		m.classes, m.index = nil, make(map[string]int, len(classes))
	}
	for _, class := range classes[len(m.classes):] {
		m.discover(class)
	}
	m.spare = nil // they may belong to another number of classes
}

// Know gives an untrained model classes, in this order, that another one has discovered.
func (m *Multi) Know(classes []string) error {
	s := MultiState{Classes: classes, Vectors: make([]VectorState, m.spec.separators(len(classes)))}
	return m.Begin(s)
}
