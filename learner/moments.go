package learner

import "math"

// moments is what Welford's method keeps of a series of values (Technometrics 4, 1962). A slot's numbers are adjacent
// in scaler.stats: one cache miss.
type moments struct {
	count float64 // how many values
	mean  float64
	m2    float64 // sum of (value-mean)^2
}

func (m moments) with(x float64) moments {
	n := m.count + 1
	d := x - m.mean
	mu := m.mean + d/n
	return moments{n, mu, m.m2 + float64(d*(x-mu))}
}

// scaled returns x as the rule of ScaleStandard scales it, which standardizer describes. The moments are with x.
func (m moments) scaled(x float64, among extent) float64 {
	variance, centred := m.variance(among)
	if !centred {
		return m.uncentred(x, among)
	}
	return (x - m.mean) / math.Sqrt(variance)
}

// variance also reports whether scaled subtracts the mean.
func (m moments) variance(among extent) (variance float64, centred bool) {
	variance = m.m2 / m.count
	//mutation:sparse-uncentred
	return variance, m.count >= among.half && variance != 0
}

// uncentred is scaled where the mean is not subtracted.
func (m moments) uncentred(x float64, among extent) float64 {
	switch {
	case among.early && m.count >= 2*among.half:
		return 0
	case m.m2 == 0 && x != 0:
		return math.Copysign(1, x)
	}
	return m.overSize(x)
}

// overSize returns x over the root mean square of the values, and 0 where that is 0.
func (m moments) overSize(x float64) float64 {
	square := m.m2/m.count + float64(m.mean*m.mean)
	if square == 0 {
		return 0
	}
	return x / math.Sqrt(square)
}

// extent is the labelled examples among which a feature has its values.
type extent struct {
	half  float64 // half of their number: a feature with as many values is usual
	early bool    // a feature that all of them had may vary yet: while it does not, it becomes 0
}

// everything is the extent with centre=always: every feature is usual, and 0 while it does not vary.
var everything = extent{0, true}

// earlyExamples is how many examples are early: the first ones show little of what is constant.
const earlyExamples = 10

func newExtent(examples float64) extent { return extent{examples / 2, examples <= earlyExamples} }
