package learner

import "math"

// regularizer shrinks weights toward 0 while a learner runs: l1 at a constant speed, until they are 0 and remain so,
// l2 in proportion to themselves. Each labelled example takes as much time as its rate. A weight follows
//
//	dw/dt = -l1·sign(w) - l2·w
//
// so after a time h it is sign(w)·max(0, |w|·e^(-l2·h) - l1·(1-e^(-l2·h))/l2), or sign(w)·max(0, |w| - l1·h)
// without l2. Two steps have the effect of one of their length, so a weight need not be touched until its feature
// comes again (lazy truncated gradient: Langford, Li and Zhang, Journal of Machine Learning Research 10, 2009;
// cumulative rates: Tsuruoka, Tsujii and Ananiadou, ACL 2009). Up to terms in h² the effect of l2 is the usual
// factor 1 - rate·l2, but it is never negative. The bias does not shrink.
type regularizer struct {
	l1, l2 float64
	stamps []float64 // of each slot: the clock when its weight was last brought up to date; nil without l1 and l2
}

func newRegularizer(s Spec, slots int) regularizer {
	if s.L1 == 0 && s.L2 == 0 {
		return regularizer{}
	}
	return regularizer{l1: s.L1, l2: s.L2, stamps: make([]float64, slots)}
}

func (r *regularizer) on() bool { return r.stamps != nil }

func (r *regularizer) after(w, h float64) float64 {
	if w == 0 || h <= 0 {
		return w
	}
	left := math.Abs(w)
	if r.l2 == 0 {
		left -= float64(r.l1 * h)
	} else {
		lost := expComplement(float64(r.l2 * h))
		left -= float64(left * lost)
		left -= float64(r.l1*lost) / r.l2
	}
	if left <= 0 {
		return 0
	}
	//mutation:shrunk-sign
	return math.Copysign(left, w)
}

func (r *regularizer) start(clock float64, at int) {
	if at < len(r.stamps) {
		r.stamps[at] = clock
	}
}

func (r *regularizer) tables() []Column {
	if !r.on() {
		return nil
	}
	return []Column{{Name: columnPulled, Float64: r.stamps}}
}

// check refuses stamps from the future. Without l1 and l2 there is no clock.
func (r *regularizer) check(v *vector) error {
	if !r.on() {
		v.clock = 0 // saved with a regularizer: one that begins anew must not count that time
	}
	for slot, stamp := range r.stamps {
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
