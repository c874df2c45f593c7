package generate

import (
	"cmp"
	"fmt"
)

// With these defaults a perceptron is right about 82 times in 100, the no-change baseline 50 times; the best possible
// accuracy is 95 percent.
const (
	DefaultFeatures = 10
	defaultNoise    = 0.05
	defaultDrift    = 0.0002
)

// MaxFeatures bounds the features of an event.
const MaxFeatures = 10_000

// unit is the number of parts that a feature's range from 0 to 1 is divided into: four decimals.
const unit = 10_000

// Hyperplane is the rotating hyperplane of Hulten, Spencer and Domingos, "Mining time-changing data streams" (KDD
// 2001): points are uniform in a cube, a point's label is its side of w·x = 0, the weights w move in small steps,
// and some labels are flipped. Here the cube is [-1, 1]^d, so that both labels are equally frequent, and each weight
// moves back and forth between -1 and 1 at a constant speed of its own.
type Hyperplane struct {
	Features int     // per event, 1 to MaxFeatures; 0 for DefaultFeatures
	Noise    float64 // the share of labels that are flipped, 0 to 0.5
	Drift    float64 // the mean way of a weight per event, 0 to 1
	Seed     uint64

	position
	weights paths
	values  []float64
}

// New returns a stream with the default features, noise and drift.
func New(seed uint64) *Hyperplane {
	return &Hyperplane{Features: DefaultFeatures, Noise: defaultNoise, Drift: defaultDrift, Seed: seed}
}

// Check says what is wrong with the options.
func (h *Hyperplane) Check() error {
	switch {
	case h.Features < 0 || h.Features > MaxFeatures:
		return fmt.Errorf("%d features: want 1 to %d", h.Features, MaxFeatures)
	case !(h.Drift >= 0 && h.Drift <= 1):
		return fmt.Errorf("drift %v: want 0 to 1, the way of a weight per event", h.Drift)
	case !(h.Noise >= 0 && h.Noise <= 0.5):
		return fmt.Errorf("noise %v: want 0 to 0.5, the share of labels that are flipped", h.Noise)
	}
	return nil
}

// Next returns the next event.
func (h *Hyperplane) Next() Event {
	if h.values == nil {
		h.start()
	}
	n := h.begin(h.Seed)
	var side int64 // at most MaxFeatures * unit * 2^31 in magnitude: no overflow
	for i := range h.values {
		k := int64(h.below(2*unit+1)) - unit
		h.values[i] = float64(k) / unit
		side += k * h.weights.at(i, n)
	}
	label := 1
	if side < 0 {
		label = -1
	}
	if h.happens(h.Noise) {
		label = -label
	}
	return Event{n, label, h.values}
}

// AppendJSON appends the next event as Event.AppendJSON does.
func (h *Hyperplane) AppendJSON(dst []byte) []byte { return h.Next().AppendJSON(dst) }

func (h *Hyperplane) start() {
	h.Features = cmp.Or(h.Features, DefaultFeatures)
	h.seedFixed(h.Seed)
	h.weights = newPaths(&h.position, h.Features, h.Drift)
	h.values = make([]float64, h.Features)
}
