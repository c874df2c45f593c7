package learner

import (
	"fmt"
	"math"
)

// Keep gives a dual an example that it is to start from, as though it had learned it count times, each with weight 1: count is over 0
// and up to MaxValue, x stands as the kernel is to see it, already scaled, and is copied. An example that was there before, bit by
// bit, has its count raised. Every model but a dual refuses, and so does a dual whose budget is used up. Error besides: ErrOverflow.
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
	m.phase, m.scored = idle, false
	d.square = d.squareOf(x)
	// A score on the wrong side: the rule finds it due, whatever its threshold.
	e := view{x: x, score: -float64(label) * math.MaxFloat64, label: float64(label), weight: count}
	if _, err := d.prepare(&m.vector, &e); err != nil {
		return err
	}
	if d.again < 0 && len(d.kept) >= d.budget {
		return fmt.Errorf("learner: %d examples are kept, the budget is %d", len(d.kept), d.budget)
	}
	d.learn(&m.vector, x, true)
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
