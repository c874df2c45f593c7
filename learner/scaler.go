package learner

import "math"

type scaler struct {
	mode   mode
	moves  standardizer
	width  int        // of standard: the numbers of a slot in stats
	stats  []float64  // standard: see standardizer.width; maxabs: the largest |value| at i
	group  *group     // of stats; nil if there are none
	staged []observed // with the pending example, one for each of its features
}

type mode uint8

const (
	plain    mode = iota // unchanged
	standard             // by mean and deviation, or by size, as standardizer says
	maxabs               // x/max|x|
)

// observed is a raw value and the moments with it.
type observed struct {
	after moments
	raw   float64
}

func newScaler(s Spec, slots int) scaler {
	switch s.Scale {
	case ScaleStandard:
		moves := newStandardizer(s)
		width := moves.width()
		stats := Column{Name: columnMoments, Float64: make([]float64, width*slots+1), width: width}
		return scaler{mode: standard, moves: moves, width: width, stats: stats.Float64, group: newGroup(slots, stats)}
	case ScaleMaxAbs:
		stats := Column{Name: columnMaxima, Float64: make([]float64, slots)}
		return scaler{mode: maxabs, stats: stats.Float64, group: newGroup(slots, stats)}
	}
	return scaler{}
}

func (s *scaler) load(slot uint32) moments {
	at := s.stats[s.width*int(slot):][:3]
	return moments{at[0], at[1], at[2]}
}

func (s *scaler) store(slot uint32, m moments) {
	at := s.stats[s.width*int(slot):][:3]
	at[0], at[1], at[2] = m.count, m.mean, m.m2
}

// examples is how many labelled examples were learned.
func (s *scaler) examples() *float64 { return &s.stats[len(s.stats)-1] }

// extent is that of a feature in the next example, without a half-life.
func (s *scaler) extent() extent {
	if s.moves.always {
		return everything
	}
	return newExtent(*s.examples() + 1)
}

// next returns the moments of a slot with x, and x as scaled by them, with a half-life or clip.
func (s *scaler) next(slot uint32, x float64) (after moments, scaled float64) {
	among := s.extent()
	if s.moves.fades() && !s.moves.always {
		among.half = s.presence(slot).with(s.moves.keep, *s.examples()+1).examples / 2
	}
	return s.moves.next(s.load(slot), x, among)
}

func (s *scaler) value(f Feature) float64 {
	switch {
	case f.Kind == Indicator || s.mode == plain:
		return f.Value
	case s.mode == standard && s.moves.plain():
		return s.load(f.Slot).with(f.Value).scaled(f.Value, s.extent())
	case s.mode == standard:
		_, value := s.next(f.Slot, f.Value)
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
	if s.mode == standard && s.moves.plain() {
		return s.scaleStandard(x, staged)
	}
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
		if s.mode == maxabs {
			f.Value = overMax(f.Value, s.stats[f.Slot])
		} else {
			o.after, f.Value = s.next(f.Slot, f.Value)
		}
	}
	return true
}

// scaleStandard is scale without half-life and clip.
func (s *scaler) scaleStandard(x []Feature, staged []observed) bool {
	stats, among := s.stats, s.extent()
	for i := range x {
		f := &x[i]
		if f.Kind == Indicator {
			continue
		}
		v := f.Value
		if !(math.Abs(v) <= MaxValue) {
			return false
		}
		at := stats[plainWidth*int(f.Slot):][:plainWidth]
		m := moments{at[0], at[1], at[2]}.with(v)
		staged[i] = observed{m, v}
		if variance, centred := m.variance(among); centred {
			f.Value = (v - m.mean) / math.Sqrt(variance) // as scaled, which is not inlined
		} else {
			f.Value = m.uncentred(v, among)
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
	if s.mode == standard && s.moves.plain() {
		s.commitStandard(x, staged)
		return
	}
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
	if s.mode == standard {
		*s.examples()++
	}
}

// commitStandard is commit without half-life and clip. If the example has a slot twice, the second value was staged
// without the first: it is added again.
func (s *scaler) commitStandard(x []Feature, staged []observed) {
	stats := s.stats
	for i := range x {
		if x[i].Kind == Indicator {
			continue
		}
		at, m := stats[plainWidth*int(x[i].Slot):][:plainWidth], &staged[i].after
		if at[0]+1 != m.count {
			again := moments{at[0], at[1], at[2]}.with(staged[i].raw)
			m = &again
		}
		at[0], at[1], at[2] = m.count, m.mean, m.m2
	}
	*s.examples()++
}

// settle stores what was staged for a slot, with half-life or clip: a count does not show whether the slot was there
// before.
func (s *scaler) settle(slot uint32, o *observed) {
	after, _, _ := s.moves.advance(s.load(slot), o.raw)
	s.store(slot, after)
	if s.moves.fades() {
		s.setPresence(slot, s.presence(slot).with(s.moves.keep, *s.examples()+1))
	}
}
