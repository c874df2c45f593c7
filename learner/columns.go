package learner

import (
	"fmt"
	"math"
)

// Column is one of the long parts of a model's state. Exactly one of the slices is in use. They are the model's own memory:
// read them of a copy, and write into them only to load a state.
type Column struct {
	Name    string
	Float64 []float64 // of a fixed length: to load it, fill it
	Uint16  []uint16  // of a fixed length: to load it, fill it
	Bytes   []byte    // as long as it happens to be: to load it, give it to Restore
}

// State is the short part of a model's state. It survives encoding/json to the bit.
type State struct {
	Bias       float64 `json:"bias"`
	Names      int     `json:"names"`      // names in the table
	Collisions int     `json:"collisions"` // slots met under several names
}

// The names of the columns. Each way of scaling has its own, so that statistics of one are never read as those of another.
const (
	columnWeights = "weights" // a float64 for each slot
	columnPrints  = "prints"  // a uint16 for each slot: 15 bits of the first name's print, and 1 if others came
	columnMoments = "moments" // scale=standard: count, mean and sum of squared distances of each slot, as float64
	columnMaxima  = "maxima"  // scale=maxabs: the largest magnitude of each slot, as float64
	columnNames   = "names"   // for each name: slot (4 bytes), length (2 bytes), both little-endian, and the name
)

// Columns lists the long parts of the state, always in the same order. To load a model, make one of the same Spec, fill the
// columns of fixed length from the saved ones of the same name, and call Restore.
func (m *Model) Columns() []Column {
	columns := []Column{
		{Name: columnWeights, Float64: m.weights},
		{Name: columnPrints, Uint16: m.prints},
	}
	switch m.scaler.mode {
	case standard:
		columns = append(columns, Column{Name: columnMoments, Float64: m.scaler.stats})
	case maxabs:
		columns = append(columns, Column{Name: columnMaxima, Float64: m.scaler.stats})
	}
	return append(columns, Column{Name: columnNames, Bytes: m.names.text})
}

// State returns the short part of the state.
func (m *Model) State() State {
	return State{Bias: m.bias, Names: m.names.count, Collisions: m.collisions}
}

// Restore completes a model whose columns have been filled. It checks them all, so that whatever they hold it ends with an
// error or with a model that works; after an error the model is of no use. It keeps a copy of names.
func (m *Model) Restore(s State, names []byte) error {
	m.phase = idle
	if !finite(s.Bias) {
		return fmt.Errorf("learner: bias %v is not finite", s.Bias)
	}
	for slot, w := range m.weights {
		if !finite(w) {
			return fmt.Errorf("learner: weight of slot %d: %v is not finite", slot, w)
		}
	}
	met, collisions, err := countPrints(m.prints)
	if err != nil {
		return err
	}
	if err := m.scaler.check(); err != nil {
		return err
	}
	if err := m.names.load(names, m.prints); err != nil {
		return err
	}
	m.bias, m.met, m.collisions = s.Bias, met, collisions
	if got := m.State(); got != s {
		return fmt.Errorf("learner: the columns hold %d names and %d collisions, the state says %d and %d",
			got.Names, got.Collisions, s.Names, s.Collisions)
	}
	return nil
}

// countPrints counts the slots that have been met, and those met under several names.
func countPrints(prints []uint16) (met, collisions int, err error) {
	for slot, p := range prints {
		switch {
		case p == shared:
			return 0, 0, fmt.Errorf("learner: slot %d is shared by names, but has no print", slot)
		case p&shared != 0:
			collisions++
			met++
		case p != 0:
			met++
		}
	}
	return met, collisions, nil
}

// check refuses statistics that no values in range can have led to, for they might lead out of float64. Means may stray
// from the range of values by a rounding; the sum of squares grows by at most (2·MaxValue)² with each value.
func (s *scaler) check() error {
	const most = 4.01 * MaxValue * MaxValue
	switch s.mode {
	case maxabs:
		for slot, v := range s.stats {
			if !(v >= 0 && v <= MaxValue) {
				return fmt.Errorf("learner: slot %d: largest magnitude %v", slot, v)
			}
		}
	case standard:
		for i := 0; i < len(s.stats); i += width {
			slot := uint32(i / width)
			if m := s.load(slot); !(m.count >= 0 && m.count <= 1<<53 && math.Abs(m.mean) <= 2*MaxValue &&
				m.m2 >= 0 && m.m2 <= m.count*most) {
				return fmt.Errorf("learner: slot %d: count %v, mean %v, sum of squares %v", slot, m.count, m.mean, m.m2)
			}
		}
	}
	return nil
}

// CopyTo makes dst a model of its own with the same state, in dst's memory where that fits (a zero Model will do). Its cost
// is that of copying the columns, but for the names: they are shared, since neither model ever writes to those both have.
// The example at hand stays behind.
func (m *Model) CopyTo(dst *Model) {
	dst.spec, dst.rule = m.spec, m.rule
	dst.scaler.mode = m.scaler.mode
	dst.scaler.stats = copyInto(dst.scaler.stats, m.scaler.stats)
	dst.weights = copyInto(dst.weights, m.weights)
	dst.prints = copyInto(dst.prints, m.prints)
	dst.bias, dst.met, dst.collisions = m.bias, m.met, m.collisions
	m.names.copyTo(&dst.names)
	dst.phase = idle
}

// copyInto copies src into dst, or into new memory where the lengths differ.
func copyInto[T any](dst, src []T) []T {
	if len(dst) != len(src) {
		dst = make([]T, len(src))
	}
	copy(dst, src)
	return dst
}
