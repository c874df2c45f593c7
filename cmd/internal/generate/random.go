package generate

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// position is the position in a stream, with the current event's random numbers.
type position struct {
	next int64
	pcg  rand.PCG
}

// Position returns the number of the next event.
func (p *position) Position() int64 { return p.next }

// SkipTo makes event n the next one; n may be less than the position.
func (p *position) SkipTo(n int64) { p.next = n }

// begin starts the next event and returns its number.
func (p *position) begin(seed uint64) int64 {
	n := p.next
	p.next++
	p.pcg.Seed(mix(seed), mix(uint64(n)))
	return n
}

// seedFixed starts the random numbers of what is drawn once.
func (p *position) seedFixed(seed uint64) {
	p.pcg.Seed(mix(seed), mix(math.MaxUint64)) // not the number of an event
}

// happens is true with this probability.
func (p *position) happens(probability float64) bool {
	return float64(p.pcg.Uint64()>>11) < probability*(1<<53)
}

// below draws an integer below n with one random word, so the integers differ in probability by up to n/2^64.
func (p *position) below(n uint64) uint64 {
	high, _ := bits.Mul64(p.pcg.Uint64(), n)
	return high
}

// mix maps n one to one to a number spread over all 64 bits. It is the finalizer of SplitMix64 (Steele, Lea and
// Flood, "Fast splittable pseudorandom number generators", 2014).
func mix(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

// paths are numbers that move between -1 and 1, each at a constant speed of its own.
type paths struct{ phases, steps []uint64 }

// newPaths draws n numbers' starts, directions and speeds: 0.5 to 1.5 times the drift per event.
func newPaths(p *position, n int, drift float64) paths {
	// Back and forth is four units of way and 2^64 steps of a phase.
	average := uint64(math.Round(drift * (1 << 62)))
	all := paths{make([]uint64, n), make([]uint64, n)}
	for i := range n {
		all.phases[i] = p.pcg.Uint64()
		all.steps[i] = average/2 + p.below(average+1)
	}
	return all
}

// at returns number i at event n, in units of 2^-31.
func (p *paths) at(i int, n int64) int64 {
	phase := p.phases[i] + uint64(n)*p.steps[i] // it wraps around
	if phase >= 1<<63 {
		phase = ^phase
	}
	return int64(phase>>31) - 1<<31
}
