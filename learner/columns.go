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
	Names      int     `json:"names"`           // names in the table
	Collisions int     `json:"collisions"`      // slots met under several names
	Time       int64   `json:"time,omitempty"`  // labelled examples learned, where the learner asks for it
	Clock      float64 `json:"clock,omitempty"` // the sum of their rates, likewise
}

// The names of the columns. Each way of scaling has its own, so that statistics of one are never read as those of another.
const (
	columnWeights = "weights" // a float64 for each slot
	columnPrints  = "prints"  // a uint16 for each slot: 15 bits of the first name's print, and 1 if others came
	columnMoments = "moments" // scale=standard: count, mean and sum of squared distances of each slot, as float64
	columnMaxima  = "maxima"  // scale=maxabs: the largest magnitude of each slot, as float64
	columnNames   = "names"   // for each name: slot (4 bytes), length (2 bytes), both little-endian, and the name
	columnKept    = "kept"    // dual: the kept examples, see supportHead

	// Of these each is a float64 for each slot, and but for the first one more for the bias.
	columnPulled    = "pulled"    // l1, l2: the clock when the weight was settled
	columnVariances = "variances" // arow
	columnSquares   = "squares"   // logistic: the sum of squared gradients
	columnLags      = "lags"      // averaged, these three: see mean
	columnStamps    = "stamps"
	columnBefore    = "before"
)

// Columns lists the long parts of the state, always in the same order. To load a model, make one of the same Spec, fill the
// columns of fixed length from the saved ones of the same name, and call Restore with the others. The dual's kept examples are
// written anew by each call, so their column is not the model's own memory.
func (m *Model) Columns() []Column {
	var columns []Column
	if m.spec.Learner != Dual {
		columns = append(columns, Column{Name: columnWeights, Float64: m.weights})
	}
	columns = append(columns, Column{Name: columnPrints, Uint16: m.prints})
	switch m.scaler.mode {
	case standard:
		columns = append(columns, Column{Name: columnMoments, Float64: m.scaler.stats})
	case maxabs:
		columns = append(columns, Column{Name: columnMaxima, Float64: m.scaler.stats})
	}
	columns = append(columns, m.tables()...)
	columns = append(columns, Column{Name: columnNames, Bytes: m.names.text})
	if d, ok := m.method.(*dual); ok {
		columns = append(columns, Column{Name: columnKept, Bytes: d.save()})
	}
	return columns
}

// State returns the short part of the state.
func (m *Model) State() State {
	return State{Bias: m.bias, Names: m.names.count, Collisions: m.collisions, Time: m.time, Clock: m.clock}
}

// Restore completes a model whose columns of fixed length have been filled. texts are the columns of Bytes in the order of
// Columns: the names, and for the dual the kept examples. It checks all, so that whatever they hold it ends with an error or
// with a model that works; after an error the model is of no use. It keeps copies.
func (m *Model) Restore(s State, texts ...[]byte) error {
	m.phase, m.scored = idle, false
	d, isDual := m.method.(*dual)
	if isDual && len(texts) != 2 || !isDual && len(texts) != 1 {
		return fmt.Errorf("learner: %s: %d columns of bytes", m.spec.Learner, len(texts))
	}
	if !finite(s.Bias) || !(s.Clock >= 0 && finite(s.Clock)) || s.Time < 0 || s.Time > 1<<53 {
		return fmt.Errorf("learner: bias %v, time %d, clock %v: out of range", s.Bias, s.Time, s.Clock)
	}
	m.bias, m.time, m.clock = s.Bias, s.Time, s.Clock
	for slot, w := range m.weights {
		if !finite(w) {
			return slotError(columnWeights, slot, w)
		}
	}
	met, collisions, err := countPrints(m.prints)
	if err != nil {
		return err
	}
	m.met, m.collisions, m.known = met, collisions, 0
	if err := m.scaler.check(); err != nil {
		return err
	}
	if err := m.check(&m.vector); err != nil {
		return err
	}
	if err := m.names.load(texts[0], m.prints); err != nil {
		return err
	}
	if isDual {
		if err := d.load(texts[1]); err != nil {
			return err
		}
	}
	if m.names.count != s.Names || collisions != s.Collisions {
		return fmt.Errorf("learner: the columns hold %d names and %d collisions, the state says %d and %d",
			m.names.count, collisions, s.Names, s.Collisions)
	}
	return nil
}

// slotError is about a number that no stream leads to. Behind the last slot stands the bias.
func slotError(column string, slot int, x float64) error {
	return fmt.Errorf("learner: %s: slot %d: %v is out of range", column, slot, x)
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
