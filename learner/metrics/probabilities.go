package metrics

import (
	"math"

	"rosenblatt/learner/internal/exact"
)

// MinProbability and 1-MinProbability bound the probabilities in log-loss, so that one mistake cannot make it
// infinite.
const MinProbability = 1e-15

// reliabilityBins is into how many equal parts probabilities are divided for the calibration error.
const reliabilityBins = 15

// probabilities keeps how good the probabilities of the examples are that have one.
type probabilities struct {
	all    probabilitySums
	fading probabilitySums // in units of scale: see pass
	scale  float64         // 0 before the first
	given  [LongWindow]float64
}

// probabilitySums are of one scope. Of several classes the last four stay 0.
type probabilitySums struct {
	Examples  float64                  `json:"examples"`
	Loss      float64                  `json:"loss"`      // Σ -ln of the label's probability
	Brier     float64                  `json:"brier"`     // Σ (p-y)²
	Expected  float64                  `json:"expected"`  // Σ p
	Positives float64                  `json:"positives"` // Σ y
	Gaps      [reliabilityBins]float64 `json:"gaps"`      // Σ (p-y) of the examples whose p is in the bin
}

// pass clears a place of the ring for the next example, which counts more instead of all before it counting less.
func (p *probabilities) pass(at int) {
	const high = 1e100
	if p.scale == 0 {
		return
	}
	p.given[at] = 0
	if p.scale /= Fade; p.scale < high {
		return
	}
	p.fading.times(1 / p.scale)
	p.scale = 1
}

func (s *probabilitySums) times(factor float64) {
	for _, x := range []*float64{&s.Examples, &s.Loss, &s.Brier, &s.Expected, &s.Positives} {
		*x *= factor
	}
	for i := range s.Gaps {
		s.Gaps[i] *= factor
	}
}

// bounded keeps a probability away from 0 and 1.
func bounded(given float64) float64 {
	return min(max(given, MinProbability), 1-MinProbability)
}

// add takes the probability given to the label of the example at a place of the ring.
func (p *probabilities) add(at int, given float64, y binaryLabel) {
	if p.scale == 0 {
		p.scale = 1
	}
	given = bounded(given)
	p.given[at] = given
	loss := -exact.TableLog(given)
	p.all.add(given, loss, y, 1)
	p.fading.add(given, loss, y, p.scale)
}

// binaryLabel is one of two labels, or none, where there are several classes.
type binaryLabel uint8

const (
	ofClasses binaryLabel = iota
	negativeLabel
	positiveLabel
)

// add adds a probability and its -ln.
func (s *probabilitySums) add(given, loss float64, y binaryLabel, weight float64) {
	s.Examples += weight
	s.Loss += float64(weight * loss)
	p, is := given, 1.0
	switch y {
	case ofClasses:
		return
	case negativeLabel:
		p, is = 1-given, 0
	}
	off := p - is
	s.Brier += float64(weight * float64(off*off))
	s.Expected += float64(weight * p)
	s.Positives += float64(weight * is)
	//mutation:reliability-bin
	s.Gaps[min(reliabilityBins-1, int(p*reliabilityBins))] += float64(weight * off)
}

// set sets the figures of probabilities.
func (s *probabilitySums) set(f *Figures, two bool) {
	f.LogLoss = Quotient(s.Loss, s.Examples)
	if !two {
		return
	}
	gaps := 0.0
	for _, gap := range s.Gaps {
		gaps += math.Abs(gap)
	}
	f.Brier = Quotient(s.Brier, s.Examples)
	f.CalibrationError = Quotient(gaps, s.Examples)
	f.ExpectedPositives = Quotient(s.Expected, s.Positives)
}

// setProbabilities sets the figures of all scopes of a learner. label is that of a place of the ring; nil: of classes.
func (c *counters) setProbabilities(r *Row, labelAt func(place int) binaryLabel) {
	p := &c.probabilities
	if p.scale == 0 {
		return
	}
	var last, long probabilitySums
	for i := range c.filled {
		at, y := c.place(i), ofClasses
		if p.given[at] == 0 {
			continue
		}
		if labelAt != nil {
			y = labelAt(at)
		}
		loss := -exact.TableLog(p.given[at])
		long.add(p.given[at], loss, y, 1)
		if i >= c.filled-Window {
			last.add(p.given[at], loss, y, 1)
		}
	}
	two := labelAt != nil
	p.all.set(&r.Figures, two)
	last.set(&r.Last, two)
	long.set(&r.Last10000, two)
	p.fading.set(&r.Fading, two)
}
