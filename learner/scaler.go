package learner

import (
	"fmt"
	"math"
)

type scaler struct {
	mode   mode
	moves  standardizer
	stats  []float64  // standard: count, mean, m2 of slot i at 3*i; maxabs: the largest |value| at i
	group  *group     // of stats; nil if there are none
	staged []observed // with the pending example, one for each of its features
}

type mode uint8

const (
	plain    mode = iota // unchanged
	standard             // (x-mean)/deviation, as standardizer says
	maxabs               // x/max|x|
)

// moments is what Welford's method keeps of a series of values (Technometrics 4, 1962). A slot's three numbers are
// adjacent in scaler.stats: one cache miss.
type moments struct {
	count float64 // how many values
	mean  float64
	m2    float64 // sum of (value-mean)^2
}

const width = 3

// observed is a raw value and the moments with it.
type observed struct {
	after moments
	raw   float64
}

func newScaler(s Spec, slots int) scaler {
	switch s.Scale {
	case ScaleStandard:
		stats := Column{Name: columnMoments, Float64: make([]float64, width*slots), width: width}
		return scaler{mode: standard, moves: newStandardizer(s), stats: stats.Float64, group: newGroup(slots, stats)}
	case ScaleMaxAbs:
		stats := Column{Name: columnMaxima, Float64: make([]float64, slots)}
		return scaler{mode: maxabs, stats: stats.Float64, group: newGroup(slots, stats)}
	}
	return scaler{}
}

func (m moments) with(x float64) moments {
	n := m.count + 1
	d := x - m.mean
	mu := m.mean + d/n
	return moments{n, mu, m.m2 + float64(d*(x-mu))}
}

// standardize returns (x-mean)/deviation, and 0 when all values are the same.
func (m moments) standardize(x float64) float64 {
	variance := m.m2 / m.count
	if variance == 0 {
		return 0
	}
	return (x - m.mean) / math.Sqrt(variance)
}

func (s *scaler) load(slot uint32) moments {
	at := s.stats[width*int(slot):][:width]
	return moments{at[0], at[1], at[2]}
}

func (s *scaler) store(slot uint32, m moments) {
	at := s.stats[width*int(slot):][:width]
	at[0], at[1], at[2] = m.count, m.mean, m.m2
}

func (s *scaler) value(f Feature) float64 {
	switch {
	case f.Kind == Indicator || s.mode == plain:
		return f.Value
	case s.mode == standard && s.moves.plain():
		return s.load(f.Slot).with(f.Value).standardize(f.Value)
	case s.mode == standard:
		_, value := s.moves.next(s.load(f.Slot), f.Value)
		return value
	}
	return overMax(f.Value, s.stats[f.Slot])
}

// overMax returns x over the larger of |x| and the largest magnitude so far, and 0 when both are 0.
func overMax(x, most float64) float64 {
	if a := math.Abs(x); a > most {
		most = a
	}
	if most == 0 {
		return 0
	}
	return x / most
}

// scale puts the scaled values into x and stages the statistics with x in them. It reports whether all values are in
// range; values beyond would spoil the statistics for good.
func (s *scaler) scale(x []Feature) bool {
	if s.mode == plain {
		return true
	}
	if cap(s.staged) < len(x) {
		s.staged = make([]observed, cap(x))
	}
	staged := s.staged[:len(x)]
	for i := range x {
		f := &x[i]
		if f.Kind == Indicator {
			continue
		}
		if !(math.Abs(f.Value) <= MaxValue) {
			return false
		}
		o := &staged[i]
		o.raw = f.Value
		switch {
		case s.mode == maxabs:
			f.Value = overMax(f.Value, s.stats[f.Slot])
		case s.moves.plain():
			o.after = s.load(f.Slot).with(f.Value)
			f.Value = o.after.standardize(f.Value)
		default:
			o.after, f.Value = s.moves.next(s.load(f.Slot), f.Value)
		}
	}
	return true
}

// commit learns x, as scale returned it last. names is the number of its list of names, or 0.
func (s *scaler) commit(x []Feature, names uint64) {
	if s.mode == plain {
		return
	}
	if s.mode == standard {
		s.group.touchNumeric(x, names)
	}
	staged := s.staged[:len(x)]
	for i := range x {
		switch {
		case x[i].Kind == Indicator:
		case s.mode == standard:
			s.settle(x[i].Slot, &staged[i])
		case math.Abs(staged[i].raw) > s.stats[x[i].Slot]:
			s.group.touchSlot(x[i].Slot)
			s.stats[x[i].Slot] = math.Abs(staged[i].raw)
		}
	}
}

// settle stores what was staged for a slot. If the example has the slot twice, the second value was staged without
// the first: it is added again.
func (s *scaler) settle(slot uint32, o *observed) {
	if !s.moves.plain() { // a count does not show whether the slot was there before
		after, _ := s.moves.next(s.load(slot), o.raw)
		s.store(slot, after)
		return
	}
	if now := s.load(slot); now.count+1 != o.after.count {
		s.store(slot, now.with(o.raw))
		return
	}
	s.store(slot, o.after)
}

// check refuses statistics that no values in range lead to: they might overflow. Rounding may take a mean slightly
// out of the range; the sum of squares grows by at most (2·MaxValue)² with each value.
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
			m := s.load(slot)
			if m.count < 0 && m.m2 != m.mean && math.Abs(m.m2) <= MaxValue { // held back
				m = moments{-m.count, m.mean, 0}
				if s.moves.clip == 0 { // the model began with a clip
					s.store(slot, m)
				}
			}
			if !(m.count >= 0 && m.count <= 1<<53 && math.Abs(m.mean) <= 2*MaxValue &&
				m.m2 >= 0 && m.m2 <= m.count*most) {
				return fmt.Errorf("learner: slot %d: count %v, mean %v, sum of squares %v", slot, m.count, m.mean, m.m2)
			}
		}
	}
	return nil
}
