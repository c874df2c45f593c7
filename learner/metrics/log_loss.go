package metrics

import (
	"encoding/binary"
	"math"

	"rosenblatt/learner/internal/exact"
)

// MinProbability and 1-MinProbability bound the probabilities in log-loss, so that one mistake cannot make it
// infinite.
const MinProbability = 1e-15

// losses keeps the log-loss -ln p of the examples that have one, where p is the probability given to the label.
type losses struct {
	lossSums
	last [Window]float64 // by place in the ring; 0 for an example without
}

type lossSums struct {
	Examples int64   `json:"examples"` // that have a loss
	Sum      float64 `json:"sum"`
	Weight   float64 `json:"fadingWeight"` // sum of the fading weights
	Fading   float64 `json:"fading"`       // sum of the losses with these weights
}

// pass clears a place for the next example.
func (l *losses) pass(at int) {
	if l.Examples == 0 {
		return
	}
	l.last[at] = 0
	l.Weight, l.Fading = faded(l.Weight), faded(l.Fading)
}

// add takes the probability given to the label of the example at place at.
func (l *losses) add(at int, given float64) {
	loss := -exact.Log(math.Min(math.Max(given, MinProbability), 1-MinProbability))
	l.Examples++
	l.Sum += loss
	l.Weight++
	l.Fading += loss
	l.last[at] = loss
}

// mean returns the mean losses over all examples, over those of the ring, oldest first, and fading.
func (l *losses) mean(next int) (all, last, fading float64) {
	if l.Examples == 0 {
		return 0, 0, 0
	}
	var n, sum float64
	for i := range Window {
		if loss := l.last[(next+i)%Window]; loss != 0 {
			n++
			sum += loss
		}
	}
	return ratio(l.Sum, float64(l.Examples)), ratio(sum, n), ratio(l.Fading, l.Weight)
}

// lossState is losses in JSON, the window oldest first.
type lossState struct {
	lossSums
	Last []byte `json:"last"` // a little-endian float64 for each example of the window, 0 for one without a loss
}

// state returns nil for nothing to save. ring is that of the examples.
func (l *losses) state(ring *counters) *lossState {
	if l.Examples == 0 {
		return nil
	}
	s := &lossState{lossSums: l.lossSums}
	for i := range ring.filled {
		s.Last = binary.LittleEndian.AppendUint64(s.Last, math.Float64bits(l.last[ring.place(i)]))
	}
	return s
}

// load reads a saved state, nil for none. It returns false for an invalid one.
func (l *losses) load(s *lossState, examples int64) bool {
	const most = 35 // -ln MinProbability is 34.5
	if s == nil {
		return true
	}
	count := float64(s.Examples)
	if s.Examples < 1 || s.Examples > examples || len(s.Last) != 8*int(min(Window, examples)) ||
		!(s.Sum > 0 && s.Sum <= most*count) || !(s.Weight >= 0 && s.Weight <= count) ||
		!(s.Fading >= 0 && s.Fading <= most*count) {
		return false
	}
	*l = losses{lossSums: s.lossSums}
	for i := range len(s.Last) / 8 {
		loss := math.Float64frombits(binary.LittleEndian.Uint64(s.Last[8*i:]))
		if !(loss >= 0 && loss <= most) {
			return false
		}
		l.last[i] = loss
	}
	return true
}
