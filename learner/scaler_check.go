package learner

import (
	"fmt"
	"math"
)

// mostExamples bounds counts that are loaded: above, a float64 does not hold every whole number.
const mostExamples = 1 << 53

// check refuses statistics that no values in range lead to: they might overflow.
func (s *scaler) check() error {
	switch s.mode {
	case maxabs:
		for slot, v := range s.stats {
			if !(v >= 0 && v <= MaxValue) {
				return fmt.Errorf("learner: slot %d: largest magnitude %v", slot, v)
			}
		}
	case standard:
		if n := *s.examples(); !(n >= 0 && n <= mostExamples && n == math.Trunc(n)) {
			return fmt.Errorf("learner: %s: %v examples", columnMoments, n)
		}
		for slot := range uint32(len(s.stats) / s.width) {
			if err := s.checkSlot(slot); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkSlot: rounding may take a mean slightly out of the range; the sum of squares grows by at most (2·MaxValue)² with
// each value.
func (s *scaler) checkSlot(slot uint32) error {
	const most = 4.01 * MaxValue * MaxValue
	m := s.load(slot)
	if m.count < 0 && m.m2 != m.mean && math.Abs(m.m2) <= MaxValue { // held back
		m = moments{-m.count, m.mean, 0}
		if s.moves.clip == 0 { // the model began with a clip
			s.store(slot, m)
		}
	}
	if !(m.count >= 0 && m.count <= mostExamples && math.Abs(m.mean) <= 2*MaxValue && m.m2 >= 0 &&
		m.m2 <= m.count*most) {
		return fmt.Errorf("learner: slot %d: count %v, mean %v, sum of squares %v", slot, m.count, m.mean, m.m2)
	}
	if !s.moves.fades() {
		return nil
	}
	p := s.presence(slot)
	if !(p.examples >= 0 && p.examples <= *s.examples() && p.last >= 0 && p.last <= *s.examples() &&
		p.last == math.Trunc(p.last)) {
		return fmt.Errorf("learner: slot %d: last of %v examples was %v", slot, p.examples, p.last)
	}
	return nil
}
