package labels

import (
	"math"

	"rosenblatt/learner/decision"
)

// Prediction is what an example keeps of its published prediction: see model.Outcome.
type Prediction struct {
	Class      int // of two labels 0 or 1; -1 for none
	Untrained  bool
	Millionths decision.Millionths // the probability of the positive one of two labels; 0 if it has none
	Calibrated bool                // it was published so
}

// Published is a Prediction in 32 bits. Without a probability the lower ones are the class + 1; with one the lowest is
// the class, and the 20 above it the probability.
type Published uint32

const (
	untrainedBit  = 1 << 31
	probableBit   = 1 << 30
	calibratedBit = 1 << 29
	lowerBits     = calibratedBit - 1
)

// NewPublished packs a prediction.
func NewPublished(x Prediction) (p Published) {
	//mutation:waiting-keeps-probability
	if x.Millionths > 0 {
		p = probableBit | Published(x.Millionths)<<1 | Published(x.Class)
	} else {
		p = Published(x.Class + 1)
	}
	if x.Calibrated {
		p |= calibratedBit
	}
	//mutation:untrained-saved
	if x.Untrained {
		p |= untrainedBit
	}
	return p
}

// Prediction unpacks it.
func (p Published) Prediction() Prediction {
	x := Prediction{Class: int(p&lowerBits) - 1, Untrained: p&untrainedBit != 0, Calibrated: p&calibratedBit != 0}
	if p&probableBit != 0 {
		x.Class, x.Millionths = int(p&1), decision.Millionths(p&lowerBits>>1)
	}
	return x
}

// valid reports whether NewPublished made it.
func (p Published) valid() bool {
	x := p.Prediction()
	if p&probableBit == 0 {
		return p&lowerBits <= math.MaxInt16 && !x.Calibrated
	}
	return x.Millionths.Valid()
}

// add counts a prediction more or less among those that wait for what they teach a cut.
func (p Published) add(w *decision.Waiting, n int64) {
	if p&probableBit == 0 || p&untrainedBit != 0 {
		return
	}
	w.Add(p&1 == 1, decision.Millionths(p&lowerBits>>1), n)
}

// Sums returns what waits.
func (w *Waiting) Sums() decision.Waiting { return w.sums }

// Others returns what waits but for a waiting example.
func (w *Waiting) Others(e *Example) decision.Waiting {
	others := w.sums
	e.Published.add(&others, -1)
	return others
}
