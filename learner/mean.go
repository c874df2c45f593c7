package learner

import (
	"math"

	"rosenblatt/learner/internal/exact"
)

// mean keeps the mean of each weight over time; a slot is touched only when its weight moves. Time is the number of
// labelled examples, T; w_t is a weight after example t.
//
// The plain mean is (1/T)·Σ w_t. A step Δ at example s is part of all weights but the s-1 before it, so with the lag
// u = Σ (s-1)·Δ_s the sum is T·w - u (Daumé, Practical Structured Learning Techniques, 2006, section 2.1).
//
// window=N divides time into blocks of N/2 examples, rounded down. The mean is over the current block, whose lag is
// u, and the block before, whose sum is kept: the last N/2 to N-1 examples. stamps has the number of the block that u
// belongs to. If that is the block before the current one, its sum is (N/2)·w - u, for w has not moved since; if it
// is older, (N/2)·w; u is 0 in both cases. All this is exact.
//
// decay=F is the fading mean a_T = F·a_(T-1) + (1-F)·w_T that starts at the start weight. With the lag u = w - a, u_T
// = F·(u_(T-1) + Δ_T): while the weight does not move, u only fades, by F for each example since the one in stamps.
//
// A bias is kept like the weights, after the last slot.
type mean struct {
	window int
	block  int64     // examples in a block; without a window time has one block without end
	fade   float64   // F, or 0
	lags   []float64 // u
	stamps []float64 // block or example that u belongs to; nil for the plain mean
	before []float64 // sum over the block before that in stamps; nil without a window
}

type moment struct {
	stamp int64   // number of the block, or the example
	done  float64 // examples of the block so far
	count float64 // examples that the mean is over
	// The power of F used last: the slots of an example have often been met together.
	exponent int64
	power    float64
}

func newMean(s Spec, slots int) mean {
	m := mean{window: s.Window, block: math.MaxInt64, fade: s.Decay, lags: make([]float64, slots+1)}
	if s.Window != 0 || s.Decay != 0 {
		m.stamps = make([]float64, slots+1)
	}
	if s.Window != 0 {
		m.block = int64(s.Window / 2)
		m.before = make([]float64, slots+1)
	}
	return m
}

func (m *mean) now(time int64) moment {
	if m.fade != 0 {
		return moment{stamp: time, power: 1}
	}
	now := moment{stamp: time / m.block, done: float64(time % m.block)}
	now.count = now.done
	if now.stamp > 0 {
		now.count += float64(m.block)
	}
	return now
}

func (m *mean) of(now *moment, w float64, at int) float64 {
	if m.fade != 0 {
		return w - m.faded(now, at)
	}
	if now.count == 0 {
		return w
	}
	lag, before := m.lags[at], 0.0
	if m.before != nil {
		lag, before = m.turned(now, w, at)
	}
	return (before + (float64(now.done*w) - lag)) / now.count
}

func (m *mean) faded(now *moment, at int) float64 {
	lag := m.lags[at]
	if lag == 0 {
		return 0
	}
	if since := now.stamp - int64(m.stamps[at]); since != now.exponent {
		now.exponent, now.power = since, exact.Power(m.fade, since)
	}
	return lag * now.power
}

// turned is the lag in the current block and the sum over the block before.
func (m *mean) turned(now *moment, w float64, at int) (lag, before float64) {
	switch now.stamp - int64(m.stamps[at]) {
	case 0:
		return m.lags[at], m.before[at]
	case 1:
		return 0, float64(float64(m.block)*w) - m.lags[at]
	}
	return 0, float64(m.block) * w
}

// move records that a weight, w so far, moves by delta at the next example.
func (m *mean) move(now *moment, w float64, at int, delta float64) {
	switch {
	case m.fade != 0:
		m.lags[at] = m.faded(now, at) + delta
		m.stamps[at] = float64(now.stamp)
		return
	case m.before != nil:
		m.lags[at], m.before[at] = m.turned(now, w, at)
		m.stamps[at] = float64(now.stamp)
	}
	//mutation:mean-lag
	m.lags[at] += float64(now.done * delta)
}

func (m *mean) restart(now *moment, w float64, at int) {
	m.lags[at] = 0
	if m.stamps != nil {
		m.stamps[at] = float64(now.stamp)
	}
	if m.before != nil && now.stamp > 0 {
		m.before[at] = float64(m.block) * w
	}
}
