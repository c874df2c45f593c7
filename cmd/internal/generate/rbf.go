package generate

import (
	"cmp"
	"math"
	"sort"
)

const defaultCentroids = 20

// RBF is the random radial basis function stream of MOA (Bifet, Holmes, Pfahringer, Kirkby and Gavaldà, "New
// ensemble methods for evolving data streams", KDD 2009): random centroids, each with a label, a weight and a
// deviation. An event belongs to a centroid drawn by weight, has its label, and lies from it in a random direction,
// at a normal number times the deviation. The centroids move like the weights of Hyperplane. No line separates the
// classes.
//
// Here the labels alternate; the normal number is a sum of twelve uniform ones (Irwin and Hall), which needs no
// logarithm that machines round differently; Noise is added; and the cube is [-1, 1]^d.
type RBF struct {
	Features int     // per event, 1 to MaxFeatures; 0 for DefaultFeatures
	Noise    float64 // the share of labels that are flipped, 0 to 0.5
	Drift    float64 // the mean way of each coordinate of a centroid per event, 0 to 1
	Seed     uint64

	position
	centroids int   // 0 for defaultCentroids
	paths     paths // of all coordinates, centroid by centroid
	sums      []uint64
	spread    []int64 // the centroids' deviations, in units
	offset    []int64 // the direction of the event
	values    []float64
}

func (r *RBF) check() error { return checkMoving(r.Features, r.Noise, r.Drift) }

// Next implements Stream.
func (r *RBF) Next() Event {
	if r.values == nil {
		r.start()
	}
	n := r.begin(r.Seed)
	c := r.pick()
	norm := r.direction()
	// The sum of twelve uniform numbers from 0 to 1 is nearly normal, with mean 6 and variance 1.
	length := -int64(6 * unit)
	for range 12 {
		length += int64(r.below(unit + 1))
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
	return Event{n, label, r.values}
}

func (r *RBF) pick() int {
	at := r.below(r.sums[len(r.sums)-1])
	return sort.Search(len(r.sums), func(c int) bool { return r.sums[c] > at })
}

// direction draws the event's direction into offset and returns its length, which is not 0.
func (r *RBF) direction() float64 {
	for {
		var squares int64 // at most MaxFeatures * unit * unit
		for i := range r.offset {
			r.offset[i] = int64(r.below(2*unit+1)) - unit
			squares += r.offset[i] * r.offset[i]
		}
		if squares > 0 {
			return math.Sqrt(float64(squares)) // the same on all machines (IEEE 754)
		}
	}
}

// start draws the centroids: uniform weights from 0 to 1, as in MOA, and uniform deviations up to a quarter.
func (r *RBF) start() {
	r.Features = cmp.Or(r.Features, DefaultFeatures)
	r.centroids = cmp.Or(r.centroids, defaultCentroids)
	r.seedFixed(r.Seed)
	r.paths = newPaths(&r.position, r.centroids*r.Features, r.Drift)
	r.sums, r.spread = make([]uint64, r.centroids), make([]int64, r.centroids)
	var sum uint64
	for c := range r.sums {
		sum += 1 + r.below(unit)
		r.sums[c], r.spread[c] = sum, int64(r.below(unit+1))/4
	}
	r.offset, r.values = make([]int64, r.Features), make([]float64, r.Features)
}
