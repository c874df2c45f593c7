package learner

import (
	"fmt"
	"math"
)

// Scaling is how a numeric feature is scaled: (x - Mean)/Deviation. Count is of the values that both are of.
type Scaling struct {
	Mean      float64
	Deviation float64
	Count     float64
	Sized     bool    // the mean is not subtracted: Mean is 0, and Deviation the root of the mean of the squares
	Average   float64 // of the values, where Sized
}

// ScalingOf is how the next value of a slot would be scaled, were it not taken into the statistics first, as it is in
// a score. False: values of the slot are not scaled, or none was learned.
func (m *Model) ScalingOf(slot uint32) (s Scaling, scaled bool) {
	t := &m.scaler
	switch t.mode {
	case plain:
		return s, false
	case maxabs:
		return Scaling{Deviation: t.stats[slot], Sized: true}, t.stats[slot] != 0
	}
	now := t.load(slot)
	if now.count == 0 {
		return s, false
	}
	if now.count < 0 { // with a clip, and a value that is held back
		now = moments{-now.count, now.mean, 0}
	}
	among := t.extent()
	if t.moves.fades() && !t.moves.always {
		among.half = t.presence(slot).with(t.moves.keep, *t.examples()+1).examples / 2
	}
	s.Count = now.count
	//mutation:scaling-of-the-next
	next := float64(t.moves.keep*now.count) + 1
	switch {
	case next >= among.half && now.m2 != 0:
		s.Mean, s.Deviation = now.mean, math.Sqrt(now.m2/now.count)
	case t.moves.always: // while all are the same they become 0
		s.Mean, s.Deviation = now.mean, 1
	default:
		s.Average = now.mean
		s.Deviation, s.Sized = math.Sqrt(now.m2/now.count+float64(now.mean*now.mean)), true
		if s.Deviation == 0 {
			s.Deviation = 1
		}
	}
	return s, true
}

// ScaledExamples is how many labelled examples ScaleStandard has learned: a feature that less than half of them had is
// not centred.
func (m *Model) ScaledExamples() float64 {
	if m.scaler.mode != standard {
		return 0
	}
	return *m.scaler.examples()
}

// SetScaledExamples sets how many examples a model without any is to have its statistics of, before SetScaling.
func (m *Model) SetScaledExamples(n float64) error {
	switch {
	case m.scaler.mode == plain:
		return fmt.Errorf("learner: a scale is given, and the model scales nothing: want scale %s", ScaleStandard)
	case !(n >= 0 && n <= mostExamples && n == math.Trunc(n)):
		return fmt.Errorf("learner: %v examples: want a whole number, at most 2^53", n)
	case m.scaler.mode == standard:
		m.scaler.group.touchAll()
		*m.scaler.examples() = n
	}
	return nil
}

// SetScaling gives a slot that has a start weight the statistics of a model that was trained elsewhere.
func (m *Model) SetScaling(slot uint32, name []byte, s Scaling) error {
	t := &m.scaler
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("learner: scale of %q: "+format, append([]any{name}, args...)...)
	}
	switch {
	case !(math.Abs(s.Mean) <= MaxValue && math.Abs(s.Average) <= MaxValue):
		return refuse("mean %v, average %v: want a magnitude up to %v", s.Mean, s.Average, MaxValue)
	case s.Sized && s.Mean != 0:
		return refuse("mean %v: it is not centred: want 0", s.Mean)
	case !(s.Deviation > 0 && s.Deviation <= MaxValue):
		return refuse("deviation %v: want more than 0, and up to %v", s.Deviation, MaxValue)
	case int64(slot) >= int64(len(m.weights)):
		return refuse("slot %d of %d", slot, len(m.weights))
	case t.mode == maxabs && s.Mean != 0:
		return refuse("mean %v: scale %s has none: want scale %s", s.Mean, ScaleMaxAbs, ScaleStandard)
	case t.mode == standard && !(s.Count >= 1 && s.Count <= max(1, *t.examples())):
		return refuse("count %v: want how many of the %v examples had the feature", s.Count, *t.examples())
	}
	t.group.touchSlot(slot)
	if t.mode == maxabs {
		t.stats[slot] = s.Deviation
		return nil
	}
	now := moments{s.Count, s.Mean, float64(s.Deviation * s.Deviation)}
	//mutation:sized-average
	if s.Sized {
		now.mean, now.m2 = s.Average, max(0, now.m2-float64(s.Average*s.Average))
	}
	now.m2 *= s.Count
	t.store(slot, now)
	if t.moves.fades() {
		t.setPresence(slot, presence{*t.examples(), *t.examples()})
	}
	return nil
}
