package learner

import "math"

// regularizer draws weights to 0 while a learner runs: l1 at a constant speed, until they are 0 and stay there, l2 in proportion to
// themselves. Each labelled example is followed by a stretch of time as long as its rate, through which a weight follows
//
//	dw/dt = -l1·sign(w) - l2·w
//
// so after a time h it is sign(w)·max(0, |w|·e^(-l2·h) - l1·(1-e^(-l2·h))/l2), or sign(w)·max(0, |w| - l1·h) without l2. Two
// stretches give what one of their length gives. Hence nothing needs to be done to a weight until its feature comes again:
// the time when that was last stands in stamps (lazy truncated gradient: Langford, Li and Zhang, Journal of Machine Learning
// Research 10, 2009; cumulative rates: Tsuruoka, Tsujii and Ananiadou, ACL 2009). Up to terms in h² the l2 part is the usual
// factor 1 - rate·l2, but it is never negative. The bias is not drawn.
type regularizer struct {
	l1, l2 float64
	stamps []float64 // for each slot the clock when its weight was settled; nil when nothing pulls
}

func newRegularizer(s Spec, slots int) regularizer {
	if s.L1 == 0 && s.L2 == 0 {
		return regularizer{}
	}
	return regularizer{l1: s.L1, l2: s.L2, stamps: make([]float64, slots)}
}

func (p *regularizer) on() bool { return p.stamps != nil }

// after is what is left of w after a time h.
func (p *regularizer) after(w, h float64) float64 {
	if w == 0 || h <= 0 {
		return w
	}
	left := math.Abs(w)
	if p.l2 == 0 {
		left -= float64(p.l1 * h)
	} else {
		gone := vanishing(float64(p.l2 * h))
		left -= float64(left * gone)
		left -= float64(p.l1*gone) / p.l2
	}
	if left <= 0 {
		return 0
	}
	return math.Copysign(left, w)
}

// start notes that a weight is what it is by now.
func (p *regularizer) start(clock float64, at int) {
	if at < len(p.stamps) {
		p.stamps[at] = clock
	}
}

// tables lists the stamps, if there are any.
func (p *regularizer) tables() []Column {
	if !p.on() {
		return nil
	}
	return []Column{{Name: columnPulled, Float64: p.stamps}}
}

// check refuses stamps from the future. Without a pull there is no clock.
func (p *regularizer) check(v *vector) error {
	if !p.on() {
		v.clock = 0 // from when something pulled: to a pull that begins anew it would be a long time
	}
	for slot, stamp := range p.stamps {
		if !(stamp >= 0 && stamp <= v.clock) {
			return slotError(columnPulled, slot, stamp)
		}
	}
	return nil
}

// schedule is a rate that falls with the labelled examples learned: rate/(1 + decay·t).
type schedule struct{ rate, decay float64 }

func (s schedule) at(time int64) float64 {
	if s.decay == 0 {
		return s.rate
	}
	return s.rate / (1 + float64(s.decay*float64(time)))
}
