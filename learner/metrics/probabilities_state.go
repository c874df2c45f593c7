package metrics

import (
	"encoding/binary"
	"math"
)

// probabilityState is probabilities in JSON, without the ring.
type probabilityState struct {
	All    probabilitySums `json:"all"`
	Fading probabilitySums `json:"fading"`
	Scale  float64         `json:"scale"`
}

// state returns nil for nothing to save.
func (p *probabilities) state() *probabilityState {
	if p.scale == 0 {
		return nil
	}
	return &probabilityState{p.all, p.fading, p.scale}
}

// load reads a saved state, nil for none. It returns false for an invalid one.
func (p *probabilities) load(s *probabilityState, examples int64) bool {
	if s == nil {
		return true
	}
	if !(s.Scale >= 1 && s.Scale <= 1e100) || !isCount(s.All.Examples) || s.All.Examples < 1 ||
		s.All.Examples > float64(examples) || !isCount(s.All.Positives) || !s.All.valid(s.All.Examples) ||
		!s.Fading.valid(1001*s.Scale) { // the weights of all sum up to 1000
		return false
	}
	p.all, p.fading, p.scale = s.All, s.Fading, s.Scale
	return true
}

// valid checks sums of weights of at most so much.
func (s *probabilitySums) valid(most float64) bool {
	const highestLoss = 35 // -ln MinProbability is 34.5
	within := func(x, low, high float64) bool { return x >= low && x <= high }
	for _, gap := range s.Gaps {
		if !within(gap, -s.Examples, s.Examples) {
			return false
		}
	}
	return within(s.Examples, 0, most) && within(s.Loss, 0, highestLoss*s.Examples) &&
		within(s.Brier, 0, s.Examples) && within(s.Expected, 0, s.Examples) && within(s.Positives, 0, s.Examples)
}

// appendGiven appends the ring's probabilities, the oldest first: a little-endian float64 for each example, 0 for one
// without; nothing if no example has had one.
func (c *counters) appendGiven(dst []byte) []byte {
	if c.probabilities.scale == 0 {
		return dst
	}
	for i := range c.filled {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(c.probabilities.given[c.place(i)]))
	}
	return dst
}

// loadGiven reads all of what appendGiven appended, for a ring that is filled.
func (c *counters) loadGiven(data []byte) bool {
	if c.probabilities.scale == 0 {
		return len(data) == 0
	}
	if len(data) != 8*c.filled {
		return false
	}
	for i := range c.filled {
		given := math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		if given != 0 && !(given >= MinProbability && given <= 1-MinProbability) {
			return false
		}
		c.probabilities.given[c.place(i)] = given
	}
	return true
}
