package learner

import (
	"math"

	"rosenblatt/learner/internal/exact"
)

// standardizer keeps the moments of ScaleStandard, and scales by them. A usual feature is one that at least half of the
// labelled examples had: x becomes (x-mean)/deviation. Where an example lacks it, it counts as its mean. Any other one
// is taken to be 0 where it is absent, as a word is that an example lacks: x becomes x/size, where the size is the root
// of the mean of x², so that a constant becomes 1 or -1 and counts keep their proportions. A usual feature whose values
// are all the same has no deviation and becomes x/size, too; but in the first ten examples it becomes 0 while all had
// it, as it would be learned as a second bias and then vary. The moments are those of the values that are present, x
// among them. When a feature becomes usual, or ceases to be, its weight multiplies another value from then on. A
// gradual change, over shares of 25 to 75 %, was measured: near a half, it is better where absent is 0 and as much
// worse where absent is unknown.
//
// With centre=always every feature is usual, and 0 while it has no deviation, as in River's StandardScaler.
//
// With a half-life each value counts λ = 2^(-1/half-life) as much as the next one of its feature: n' = λ·n + 1, mean' =
// mean + d/n', m2' = λ·m2 + d·(x - mean'), where d = x - mean. The labelled examples that its values are compared with
// fade alike: see presence.
//
// With a clip N a value counts as one that is at most N deviations from the mean of those before it, and it is scaled
// as that one; of a feature that is not usual it is scaled as it is. What is scaled is at most N. While all values were
// the same there is no deviation: the first one that differs is held back until another one differs too, and is then
// clipped with it, so that a single value cannot set the scale wherever in the stream it is. What is held back is in
// the place of m2, which is 0 then, and the count is negative.
//
// Many values far out widen the deviation step by step. Without a half-life, the more values there were, the more that
// takes.
type standardizer struct {
	keep   float64 // λ; 1 without a half-life
	clip   float64 // 0 without
	always bool    // centre=always
}

func newStandardizer(s Spec) standardizer {
	z := standardizer{keep: 1, clip: s.Clip, always: s.Centre == CentreAlways}
	if s.HalfLife != 0 {
		z.keep = exact.Exp(-math.Ln2 / s.HalfLife)
	}
	return z
}

// plain reports whether neither half-life nor clip is in use.
func (z *standardizer) plain() bool { return z.keep == 1 && z.clip == 0 }

// fades reports whether there is a half-life.
func (z *standardizer) fades() bool { return z.keep != 1 }

// width is how many numbers a slot has in scaler.stats: those of moments, and with a half-life those of presence.
// Behind those of the last slot is how many labelled examples were learned.
func (z *standardizer) width() int {
	if z.fades() {
		return 5
	}
	return plainWidth
}

const plainWidth = 3

// next returns the moments with x, and x as scaled by them.
func (z *standardizer) next(m moments, x float64, among extent) (after moments, scaled float64) {
	after, as, known := z.advance(m, x)
	if known && after.count >= among.half {
		x = as
	}
	return after, z.settled(after, x, among)
}

// settled scales a value that the moments hold.
func (z *standardizer) settled(m moments, x float64, among extent) (scaled float64) {
	n := math.Abs(m.count)
	switch {
	case m.count >= 0:
		scaled = m.scaled(x, among)
	case x == m.mean:
		scaled = moments{n + 1, x, 0}.scaled(x, among) // with the value that is held back
	case n >= among.half: // it is held back: sqrt(n) deviations away, were it not
		scaled = math.Copysign(math.Sqrt(n), x-m.mean)
	default:
		scaled = z.with(moments{n, m.mean, 0}, x).overSize(x)
	}
	if z.clip == 0 {
		return scaled
	}
	return max(-z.clip, min(z.clip, scaled))
}

// advance returns the moments with x, and x as they hold it. Known is whether they have a deviation.
func (z *standardizer) advance(m moments, x float64) (after moments, as float64, known bool) {
	if z.clip == 0 {
		return z.with(m, x), x, true
	}
	return z.clipped(m, x)
}

// with is advance without a clip.
func (z *standardizer) with(m moments, x float64) moments {
	n := float64(z.keep*m.count) + 1
	d := x - m.mean
	mu := m.mean + d/n
	return moments{n, mu, float64(z.keep*m.m2) + float64(d*(x-mu))}
}

// clipped is advance with a clip.
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
