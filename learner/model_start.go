package learner

import (
	"fmt"
	"math"
)

// SetWeight gives a slot its start weight and name. It refuses a slot that another name uses already. The dual has no
// weights and refuses all.
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
		return fmt.Errorf("learner: weight of %q: another name uses slot %d: use more bits", name, slot)
	}
	if m.prints[slot] == 0 {
		m.mark(slot, print)
	}
	m.SetName(slot, print, name)
	m.group.touchSlot(slot)
	m.weights[slot] = w
	m.start(&m.vector, int(slot))
	return nil
}

// SetBias sets the start value of the bias, at most MaxValue in magnitude.
func (m *Model) SetBias(b float64) error {
	if !(math.Abs(b) <= MaxValue) {
		return fmt.Errorf("learner: bias %v: want a magnitude up to %v", b, MaxValue)
	}
	if m.one == 0 && b != 0 {
		return fmt.Errorf("learner: bias %v: the model has none, with bias=%s", b, BiasOff)
	}
	m.bias = b
	m.start(&m.vector, len(m.weights))
	return nil
}

// Keep gives a dual an example to start from, as if it had learned it count times, each with weight 1. x, which is
// copied, is already scaled. An example that is kept already has its count raised. Keep refuses for models other than
// a dual, and when the budget is used up. Error besides: ErrOverflow.
func (m *Model) Keep(x []Feature, label int8, count float64) error {
	d, isDual := m.method.(*dual)
	switch {
	case !isDual:
		return fmt.Errorf("learner: %s keeps no examples", m.spec.Learner)
	case label != 1 && label != -1:
		return errLabel
	case !(count > 0 && count <= MaxValue):
		return fmt.Errorf("learner: count %v of a kept example: want a number over 0 and up to %v", count, MaxValue)
	}
	for _, f := range x {
		if int64(f.Slot) >= int64(len(d.dense)) || !finite(f.Value) {
			return fmt.Errorf("learner: kept example: value %v at slot %d of %d", f.Value, f.Slot, len(d.dense))
		}
	}
	m.reset()
	d.square = d.squareOf(x)
	if _, err := d.pend(&view{x: x, label: float64(label)}, count); err != nil {
		return err
	}
	if d.again < 0 && len(d.kept) >= d.budget {
		return fmt.Errorf("learner: %d examples are kept, the budget is %d", len(d.kept), d.budget)
	}
	d.times = uint64(max(1, min(count, maxTimes)))
	d.add(&m.vector, x)
	return nil
}

// squareOf is ‖x‖². Values of one slot are one coordinate.
func (d *dual) squareOf(x []Feature) (square float64) {
	for i := range x {
		d.dense[x[i].Slot] += x[i].Value
	}
	for i := range x {
		square += float64(x[i].Value * d.dense[x[i].Slot])
	}
	for i := range x {
		d.dense[x[i].Slot] = 0
	}
	return square
}
