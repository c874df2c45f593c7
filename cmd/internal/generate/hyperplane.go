// Package generate makes the usual synthetic streams of labelled events, the same from the same seed on every machine.
//
// Hyperplane is a slowly turning plane, SEA a bound that jumps, LED the seven segments of a digit among attributes that mean
// nothing, and RBF clouds that move. They are made for watching an online learner: what was right a while ago is wrong now,
// so only a model that goes on learning stays good. Open makes one by its name.
//
// In all of them event n is computed from the seed and n alone, so SkipTo costs the same wherever it goes; and points and
// bounds are whole numbers, so that no label depends on how a machine rounds.
package generate

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
)

// The defaults. With them a perceptron without tuning is right in about 82 of 100 cases, where 95 is the most that the
// noise allows, and the guess that the last label comes again in about 50.
const (
	DefaultFeatures = 10
	DefaultNoise    = 0.05
	DefaultDrift    = 0.0002
)

// MaxFeatures is the largest number of features an event may have.
const MaxFeatures = 10_000

// Hyperplane is the rotating hyperplane of Hulten, Spencer and Domingos, "Mining time-changing data streams" (KDD 2001):
// points are drawn evenly from a cube, a point's label says on which side of w·x = 0 it lies, the weights w move in small
// steps, and some labels are turned around. It differs in two things. The cube is [-1, 1]^d instead of [0, 1]^d, so that
// the plane always goes through its middle and both labels come equally often. And each weight goes back and forth between
// -1 and 1 at a constant speed of its own, so that the whole state at event n is computed from n alone.
//
// Nothing is carried over from one event to the next: the weights at event n are a function of the seed and n, and the random
// numbers of event n come from a PCG that the seed and n start. SkipTo therefore costs the same wherever it goes. Points and
// weights are whole numbers, so a label does not depend on how a machine rounds.
//
// Set the fields before the first event and leave them alone then. The zero value of Features means DefaultFeatures, the
// zero values of Noise and Drift mean none. Not for use by several goroutines at once.
type Hyperplane struct {
	Features int     // features of an event, named f0, f1 ..., 1 to MaxFeatures
	Noise    float64 // the part of the labels that are turned around, 0 to 0.5
	Drift    float64 // how far a weight moves with each event, on average over the weights, 0 to 1
	Seed     uint64  // another seed is another plane and other points

	place
	weights paths
	values  []float64
}

// unit is the number of parts that a feature's range from 0 to 1 is divided into: four decimals.
const unit = 10_000

// New returns the stream with default features, noise and drift.
func New(seed uint64) *Hyperplane {
	return &Hyperplane{Features: DefaultFeatures, Noise: DefaultNoise, Drift: DefaultDrift, Seed: seed}
}

// Check tells whether the fields are in their ranges. A stream whose fields are not makes no sense.
func (h *Hyperplane) Check() error { return checkMoving(h.Features, h.Noise, h.Drift) }

func checkMoving(features int, noise, drift float64) error {
	switch {
	case features < 0 || features > MaxFeatures:
		return fmt.Errorf("%d features: choose 1 to %d", features, MaxFeatures)
	case !(drift >= 0 && drift <= 1):
		return fmt.Errorf("drift %v: choose 0 to 1, the way of a weight or a coordinate with each event", drift)
	}
	return checkNoise(noise, "labels")
}

// Next makes the next event.
func (h *Hyperplane) Next() Event {
	if h.values == nil {
		h.start()
	}
	n := h.begin(h.Seed)
	var side int64 // at most MaxFeatures * unit * 2^31 in magnitude: no overflow
	for i := range h.values {
		k := int64(below(&h.pcg, 2*unit+1)) - unit
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
	return Event{Number: n, Label: label, Features: h.values}
}

// AppendJSON makes the next event and appends it to dst, as Event.AppendJSON does.
func (h *Hyperplane) AppendJSON(dst []byte) []byte { return h.Next().AppendJSON(dst) }

// start draws where the weights begin, where they go and how fast.
func (h *Hyperplane) start() {
	if h.Features == 0 {
		h.Features = DefaultFeatures
	}
	h.seedFixed(h.Seed)
	h.weights = newPaths(&h.pcg, h.Features, h.Drift)
	h.values = make([]float64, h.Features)
}

// seedFixed starts the random numbers of what is drawn once.
func (p *place) seedFixed(seed uint64) {
	p.pcg.Seed(mix(seed), mix(math.MaxUint64)) // this is no event's number
}

// below draws a whole number under n. The tiny unevenness (n of 2^64) is the price of always drawing exactly one word.
func below(pcg *rand.PCG, n uint64) uint64 {
	high, _ := bits.Mul64(pcg.Uint64(), n)
	return high
}

// mix spreads n over all 64 bits, each n to another number, so that the PCGs of neighbouring events have nothing in common:
// the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
func mix(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
