package generate

import (
	"math"
	"math/rand/v2"
)

// paths are numbers that go back and forth between -1 and 1, each at a constant speed of its own.
type paths struct{ phases, steps []uint64 }

// newPaths draws where n numbers begin, where they go and how fast: each at 0.5 to 1.5 times the drift an event, so that
// they do not come back together to where they were for a very long time.
func newPaths(pcg *rand.PCG, n int, drift float64) paths {
	// A whole way there and back is four units long, and 2^64 steps of a phase.
	average := uint64(math.Round(drift * (1 << 62)))
	p := paths{make([]uint64, n), make([]uint64, n)}
	for i := range n {
		p.phases[i] = pcg.Uint64()
		p.steps[i] = average/2 + below(pcg, average+1)
	}
	return p
}

// at is number i at event n, in units of 2^-31: it goes from -1 up to 1 and back down while its phase, which wraps around by
// itself, goes once through all values.
func (p *paths) at(i int, n int64) int64 {
	phase := p.phases[i] + uint64(n)*p.steps[i]
	if phase >= 1<<63 {
		phase = ^phase
	}
	return int64(phase>>31) - 1<<31
}
