package learner

import (
	"math"

	"rosenblatt/learner/internal/exact"
)

// standardizer keeps the moments of ScaleStandard. With a half-life each value counts λ = 2^(-1/half-life) as much as
// the next one of its feature: n' = λ·n + 1, mean' = mean + d/n', m2' = λ·m2 + d·(x - mean'), where d = x - mean.
//
// With a clip N a value counts as one that is at most N deviations from the mean of those before it, and it is scaled
// as that one. While all values were the same there is no deviation: the first one that differs is held back until
// another one differs too, and is then clipped with it, so that a single value cannot set the scale wherever in the
// stream it is. What is held back is in the place of m2, which is 0 then, and the count is negative.
//
// Many values far out widen the deviation step by step. Without a half-life, the more values there were, the more that
// takes.
type standardizer struct {
	keep float64 // λ; 1 without a half-life
	clip float64 // 0 without
}

func newStandardizer(s Spec) standardizer {
	z := standardizer{keep: 1, clip: s.Clip}
	if s.HalfLife != 0 {
		z.keep = exact.Exp(-math.Ln2 / s.HalfLife)
	}
	return z
}

// plain reports whether neither is in use.
func (z *standardizer) plain() bool { return z.keep == 1 && z.clip == 0 }

// next returns the moments with x, and x as scaled by them.
func (z *standardizer) next(m moments, x float64) (after moments, scaled float64) {
	if z.clip == 0 {
		after = z.with(m, x)
		return after, after.standardize(x)
	}
	after, x, known := z.clipped(m, x)
	switch {
	case known:
		scaled = after.standardize(x)
	case after.count < 0 && x != after.mean: // it is held back: sqrt(n) deviations away, were it not
		scaled = math.Copysign(math.Sqrt(-after.count), x-after.mean)
	}
	return after, max(-z.clip, min(z.clip, scaled))
}

// with is next without a clip.
func (z *standardizer) with(m moments, x float64) moments {
	n := float64(z.keep*m.count) + 1
	d := x - m.mean
	mu := m.mean + d/n
	return moments{n, mu, float64(z.keep*m.m2) + float64(d*(x-mu))}
}

// clipped returns the moments with x, and x as they hold it. Known is whether they have a deviation.
func (z *standardizer) clipped(m moments, x float64) (after moments, as float64, known bool) {
	switch {
	case m.count < 0:
		return z.second(moments{-m.count, m.mean, 0}, m.m2, x)
	case m.count > 0 && m.m2 == 0 && x != m.mean:
		return moments{-m.count, m.mean, x}, x, false
	case m.m2 == 0:
		return z.with(m, x), x, false
	}
	most := float64(z.clip * math.Sqrt(m.m2/m.count))
	x = max(m.mean-most, min(m.mean+most, x))
	return z.with(m, x), x, true
}

// second is clipped where held differed from all others, which are the same.
func (z *standardizer) second(same moments, held, x float64) (after moments, as float64, known bool) {
	switch {
	case x == same.mean: // still the only one that differs
		same = z.with(same, x)
		return moments{-same.count, same.mean, held}, x, false
	case same.count == 1 && x == held: // the other one is
		two := z.with(moments{1, x, 0}, x)
		return moments{-two.count, x, same.mean}, x, false
	case same.count > 1:
		held, x = z.nearer(same.mean, held, x), z.nearer(same.mean, x, held)
		return z.with(z.with(same, held), x), x, true
	}
	first := same.mean
	middle := max(min(first, held), min(max(first, held), x))
	switch middle {
	case first:
		held, x = z.nearer(first, held, x), z.nearer(first, x, held)
	case held:
		first, x = z.nearer(held, first, x), z.nearer(held, x, first)
	default:
		first, held = z.nearer(x, first, held), z.nearer(x, held, first)
	}
	return z.with(z.with(z.with(moments{}, first), held), x), x, true
}

// nearer returns x, but no farther from the middle than clip times the distance of other.
func (z *standardizer) nearer(middle, x, other float64) float64 {
	most := float64(z.clip * math.Abs(other-middle))
	return max(middle-most, min(middle+most, x))
}
