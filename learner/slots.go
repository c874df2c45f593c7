package learner

import (
	"fmt"
	"math"
)

// A print in the table is that of the first name met at its slot, or 0, and a flag: other names have been met there too.
const (
	printMask = 1<<15 - 1
	shared    = 1 << 15
)

// meet records the prints of x and reports whether one of them could have its name kept. Once every slot met has its name,
// nobody looks for one any more.
func (m *Model) meet() (fresh bool) {
	prints, x := m.prints, m.view.x
	for i := range x {
		if f := &x[i]; prints[f.Slot]&printMask != f.Print {
			m.mark(f.Slot, f.Print)
		}
	}
	if m.names.count == m.met || !m.names.room() {
		return false
	}
	for i := range x {
		if f := &x[i]; !m.names.has(f.Slot) && prints[f.Slot]&printMask == f.Print {
			return true
		}
	}
	return false
}

// mark records a print that is not the slot's own: as the first, or as one more.
func (m *Model) mark(slot uint32, print uint16) {
	switch p := m.prints[slot]; {
	case p == 0:
		m.prints[slot] = print & printMask
		m.met++
	case p&shared == 0:
		m.prints[slot] = p | shared
		m.collisions++
	}
}

// SetName keeps a slot's name, cut to MaxNameBytes, if the slot has none yet, print is the first that was met there and
// there is room. Otherwise it does nothing.
func (m *Model) SetName(slot uint32, print uint16, name []byte) {
	if print != 0 && m.prints[slot]&printMask == print && m.names.room() && !m.names.has(slot) {
		m.names.add(slot, name)
	}
}

// SetWeight gives a slot its start weight and name, as though it had always had that weight. It refuses a weight over MaxValue in magnitude, a slot or print out of
// range, and a slot that another name holds already: one weight cannot start at two values. The dual
// has no weights and refuses all.
func (m *Model) SetWeight(slot uint32, print uint16, name []byte, w float64) error {
	switch {
	case !(math.Abs(w) <= MaxValue):
		return fmt.Errorf("learner: weight of %q: %v: want a magnitude up to %v", name, w, MaxValue)
	case m.spec.Learner == Dual:
		return fmt.Errorf("learner: weight of %q: %s starts from examples, not from weights", name, Dual)
	case int64(slot) >= int64(len(m.weights)):
		return fmt.Errorf("learner: weight of %q: slot %d of %d", name, slot, len(m.weights))
	case print == 0 || print > printMask:
		return fmt.Errorf("learner: weight of %q: print %d: want 1 to %d", name, print, printMask)
	}
	if p := m.prints[slot] & printMask; p != 0 && p != print {
		return fmt.Errorf("learner: weight of %q: another name holds slot %d: take more bits", name, slot)
	}
	if m.prints[slot] == 0 {
		m.mark(slot, print)
	}
	m.SetName(slot, print, name)
	m.weights[slot] = w
	m.start(&m.vector, int(slot))
	return nil
}

// SetBias gives the bias its start value. It refuses one over MaxValue in magnitude.
func (m *Model) SetBias(b float64) error {
	if !(math.Abs(b) <= MaxValue) {
		return fmt.Errorf("learner: bias %v: want a magnitude up to %v", b, MaxValue)
	}
	m.bias = b
	m.start(&m.vector, len(m.weights))
	return nil
}
