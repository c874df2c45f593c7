package generate

import (
	"fmt"
	"math"
)

// DefaultCentroids is the number of centroids of RBF, and DefaultRBFDrift how far each of their coordinates moves with an
// event: in 10,000 events about once through the cube.
const (
	DefaultCentroids = 20
	DefaultRBFDrift  = 0.0001
)

// MaxCentroids is the largest number of centroids.
const MaxCentroids = 10_000

// RBF is the random radial basis function stream of MOA (Bifet, Holmes, Pfahringer, Kirkby and Gavaldà, "New ensemble
// methods for evolving data streams", KDD 2009): centroids stand at random in a cube, each with a label, a weight and a
// deviation. An event picks a centroid by weight, goes away from it in a random direction, as far as a normal number times
// the deviation says, and has its label. The centroids move, each coordinate back and forth at a constant speed of its own.
// It is no stream for a straight line: --learner dual:kernel=rbf does better.
//
// It differs in that the labels alternate over the centroids; that the normal number is a sum of twelve even ones (Irwin and
// Hall), which needs no logarithm that machines round differently; that some labels are turned around; and in the cube,
// [-1, 1]^d. Everything said of Hyperplane holds here too: an event is computed from its number, and the fields are set
// before the first one.
type RBF struct {
	Features  int     // features of an event, named f0, f1 ..., 1 to MaxFeatures; 0 for DefaultFeatures
	Centroids int     // 2 to MaxCentroids; 0 for DefaultCentroids
	Noise     float64 // the part of the labels that are turned around, 0 to 0.5
	Drift     float64 // how far each coordinate of a centroid moves with each event, on average, 0 to 1
	Seed      uint64  // another seed is other centroids and other points

	place
	paths  paths // of all coordinates, centroid by centroid
	sums   []uint64
	spread []int64 // deviations of the centroids, in units
	offset []int64 // direction of the event
	values []float64
}

// Check tells whether the fields are in their ranges. A stream whose fields are not makes no sense.
func (r *RBF) Check() error {
	if r.Centroids != 0 && (r.Centroids < 2 || r.Centroids > MaxCentroids) {
		return fmt.Errorf("%d centroids: choose 2 to %d", r.Centroids, MaxCentroids)
	}
	return checkMoving(r.Features, r.Noise, r.Drift)
}

// Next makes the next event.
func (r *RBF) Next() Event {
	if r.values == nil {
		r.start()
	}
	n := r.begin(r.Seed)
	c := r.pick()
	norm := r.direction()
	// Twelve even numbers from 0 to 1 have the mean 6 and the variance 1 in sum: what is over 6 is nearly normal.
	length := -int64(6 * unit)
	for range 12 {
		length += int64(below(&r.pcg, unit+1))
	}
	reach := float64(length * r.spread[c]) // in square units: at most 6 * unit * unit, exact
	for i := range r.values {
		away := math.Round(reach * float64(r.offset[i]) / norm / unit) // no sum, so nothing to fuse
		at := r.paths.at(c*r.Features+i, n) * unit >> 31
		r.values[i] = float64(at+int64(away)) / unit
	}
	label := 1 - 2*(c%2)
	if r.happens(r.Noise) {
		label = -label
	}
	return Event{Number: n, Label: label, Features: r.values}
}

// pick chooses a centroid by weight.
func (r *RBF) pick() int {
	at := below(&r.pcg, r.sums[len(r.sums)-1])
	low, high := 0, len(r.sums)-1 // the first one whose sum is over at
	for low < high {
		if middle := (low + high) / 2; r.sums[middle] > at {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low
}

// direction draws where the event lies from its centroid and returns the length of what it drew, never 0.
func (r *RBF) direction() float64 {
	for {
		var squares int64 // at most MaxFeatures * unit * unit
		for i := range r.offset {
			r.offset[i] = int64(below(&r.pcg, 2*unit+1)) - unit
			squares += r.offset[i] * r.offset[i]
		}
		if squares > 0 {
			return math.Sqrt(float64(squares)) // IEEE 754 has it rounded the same everywhere
		}
	}
}

// start draws the centroids: weights evenly from 0 to 1, as in MOA, deviations evenly from 0 to a quarter, so that the clouds
// can be told apart.
func (r *RBF) start() {
	if r.Features == 0 {
		r.Features = DefaultFeatures
	}
	if r.Centroids == 0 {
		r.Centroids = DefaultCentroids
	}
	r.seedFixed(r.Seed)
	r.paths = newPaths(&r.pcg, r.Centroids*r.Features, r.Drift)
	r.sums, r.spread = make([]uint64, r.Centroids), make([]int64, r.Centroids)
	var sum uint64
	for c := range r.sums {
		sum += 1 + below(&r.pcg, unit)
		r.sums[c], r.spread[c] = sum, int64(below(&r.pcg, unit+1))/4
	}
	r.offset, r.values = make([]int64, r.Features), make([]float64, r.Features)
}
