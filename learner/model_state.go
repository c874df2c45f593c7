package learner

import (
	"fmt"
	"slices"
)

// State is the short part of a model's state. It survives encoding/json to the bit.
type State struct {
	Bias       float64 `json:"bias"`
	Names      int     `json:"names"`           // names in the table
	Collisions int     `json:"collisions"`      // slots met under several names
	Time       int64   `json:"time,omitempty"`  // labelled examples learned, if the learner counts them
	Clock      float64 `json:"clock,omitempty"` // the sum of their rates, if the learner uses it
	Norm       float64 `json:"norm,omitempty"`  // of alma, as the next one: see VectorState
	Scale      float64 `json:"scale,omitempty"`
}

// Columns lists the long parts of the state, always in the same order. To load a model, make one of the same Spec,
// fill the columns of fixed length from the saved ones of the same name, and call Restore with the others. The kept
// examples of the dual are not the model's own memory.
func (m *Model) Columns() []Column {
	weights, tables, kept := m.separator.columns("")
	return slices.Concat(weights, m.table.columns(), tables, []Column{m.namesColumn()}, kept)
}

// State returns the short part of the state.
func (m *Model) State() State {
	return State{Bias: m.bias, Names: m.names.count, Collisions: m.collisions, Time: m.time, Clock: m.clock,
		Norm: m.norm, Scale: m.scale}
}

// Restore completes a model whose columns of fixed length have been filled. texts are the columns of Bytes in the
// order of Columns; it copies them. It checks everything; after an error the model must not be used.
func (m *Model) Restore(s State, texts ...[]byte) error {
	m.pending.reset()
	if len(texts) != 1+textColumns(m.spec) {
		return fmt.Errorf("learner: %s: %d columns of bytes", m.spec.Learner, len(texts))
	}
	if err := m.separator.restore(VectorState{s.Bias, s.Time, s.Clock, s.Norm, s.Scale}, texts[1:]); err != nil {
		return err
	}
	return m.table.restore(texts[0], s.Names, s.Collisions)
}

// ClearChanged makes Column.Changed begin anew.
func (m *Model) ClearChanged() {
	clearChanged(m.groups())
	m.names.kept = len(m.names.text)
}

// CopyTo makes dst a model of its own with the same state, in dst's memory where that fits (a zero Model will do).
// All columns are copied but the names, whose memory is shared and only appended to. The pending example is not
// copied.
func (m *Model) CopyTo(dst *Model) {
	dst.become(m.spec)
	m.copyRest(dst)
	copyGroups(m.groups(), dst.groups())
	copyAll(dst.names.known, m.names.known)
}

func (m *Model) become(spec Spec) {
	if m.spec != spec {
		*m = Model{spec: spec, separator: newSeparator(spec, 0), table: newTable(spec)}
	}
}

func (m *Model) groups() []*group { return append(m.table.groups(), m.separator.group) }

func (m *Model) copyRest(to replicated) {
	dst := to.(*Model)
	m.table.copyRest(dst.table)
	m.separator.copyRest(&dst.separator)
	dst.pending.reset()
}
