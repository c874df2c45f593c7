// Package generate makes synthetic streams of labelled events, the same from the same seed on every machine.
//
// There is one stream, Hyperplane: points of a cube, labelled by the side of a slowly turning plane they lie on. It is made
// for watching an online learner: what was right a while ago is wrong now, so only a model that goes on learning stays good.
package generate

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strconv"
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

	next    int64 // number of the event to come
	phases  []uint64
	steps   []uint64
	values  []float64
	pcg     rand.PCG
	started bool
}

// unit is the number of parts that a feature's range from 0 to 1 is divided into: four decimals.
const unit = 10_000

// Event is one labelled point.
type Event struct {
	Number   int64     // 0, 1, 2 ... : in a topic with one partition the offset
	Label    int       // +1 or -1
	Features []float64 // of f0, f1 ..., -1 to 1 with four decimals; overwritten by the next event
}

// New returns the stream with default features, noise and drift.
func New(seed uint64) *Hyperplane {
	return &Hyperplane{Features: DefaultFeatures, Noise: DefaultNoise, Drift: DefaultDrift, Seed: seed}
}

// Check tells whether the fields are in their ranges. A stream whose fields are not makes no sense.
func (h *Hyperplane) Check() error {
	switch {
	case h.Features < 0 || h.Features > MaxFeatures:
		return fmt.Errorf("%d features: choose 1 to %d", h.Features, MaxFeatures)
	case !(h.Noise >= 0 && h.Noise <= 0.5):
		return fmt.Errorf("noise %v: choose 0 to 0.5, the part of the labels that are turned around", h.Noise)
	case !(h.Drift >= 0 && h.Drift <= 1):
		return fmt.Errorf("drift %v: choose 0 to 1, the way of a weight with each event", h.Drift)
	}
	return nil
}

// Position is the number of the event that comes next.
func (h *Hyperplane) Position() int64 { return h.next }

// SkipTo makes event n, counted from 0, the one that comes next, before or behind the present one.
func (h *Hyperplane) SkipTo(n int64) { h.next = n }

// Next makes the next event.
func (h *Hyperplane) Next() Event {
	if !h.started {
		h.start()
	}
	n := h.next
	h.next++
	h.pcg.Seed(mix(h.Seed), mix(uint64(n)))
	var side int64 // at most MaxFeatures * unit * 2^31 in magnitude: no overflow
	for i := range h.values {
		k := int64(below(&h.pcg, 2*unit+1)) - unit
		h.values[i] = float64(k) / unit
		side += k * h.weight(i, n)
	}
	label := 1
	if side < 0 {
		label = -1
	}
	if float64(h.pcg.Uint64()>>11) < h.Noise*(1<<53) {
		label = -label
	}
	return Event{Number: n, Label: label, Features: h.values}
}

// AppendJSON makes the next event and appends it to dst as an input value of the format json:
// {"id":"e7","label":-1,"features":{"f0":0.1234,"f1":-0.5}}.
func (h *Hyperplane) AppendJSON(dst []byte) []byte {
	e := h.Next()
	dst = append(dst, `{"id":"e`...)
	dst = strconv.AppendInt(dst, e.Number, 10)
	dst = append(dst, `","label":`...)
	dst = strconv.AppendInt(dst, int64(e.Label), 10)
	dst = append(dst, `,"features":{`...)
	for i, v := range e.Features {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `"f`...)
		dst = strconv.AppendInt(dst, int64(i), 10)
		dst = append(dst, `":`...)
		dst = strconv.AppendFloat(dst, v, 'f', -1, 64)
	}
	return append(dst, "}}"...)
}

// start draws where the weights begin, where they go and how fast: each at 0.5 to 1.5 times the drift, so that the plane
// does not come back to where it was for a very long time.
func (h *Hyperplane) start() {
	h.started = true
	if h.Features == 0 {
		h.Features = DefaultFeatures
	}
	// A whole way there and back is four units long, and 2^64 steps of a phase.
	average := uint64(math.Round(h.Drift * (1 << 62)))
	h.pcg.Seed(mix(h.Seed), mix(math.MaxUint64)) // this is no event's number
	h.phases = make([]uint64, h.Features)
	h.steps = make([]uint64, h.Features)
	for i := range h.phases {
		h.phases[i] = h.pcg.Uint64()
		h.steps[i] = average/2 + below(&h.pcg, average+1)
	}
	h.values = make([]float64, h.Features)
}

// weight is w_i at event n, in units of 2^-31: it goes from -1 up to 1 and back down while its phase, which wraps around by
// itself, goes once through all values.
func (h *Hyperplane) weight(i int, n int64) int64 {
	phase := h.phases[i] + uint64(n)*h.steps[i]
	if phase >= 1<<63 {
		phase = ^phase
	}
	return int64(phase>>31) - 1<<31
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
