package metrics

import (
	"encoding/binary"
	"math"
)

// AppendLast appends the latest examples, which MarshalJSON leaves out, up to 170 kB: an outcome for each, the oldest
// first, then a little-endian float64 for each one's score, and then one for the probability given to its label if the
// score has probabilities. It appends nothing for a score without labelled examples.
func (s *Binary) AppendLast(dst []byte) []byte {
	for i := range s.filled {
		dst = append(dst, byte(s.outcomes[s.place(i)]))
	}
	for i := range s.filled {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(s.scores[s.place(i)]))
	}
	return s.appendGiven(dst)
}

// LoadLast reads what AppendLast appended, all of it, into a score that UnmarshalJSON has read. On an error s is not to
// be used.
func (s *Binary) LoadLast(data []byte) error {
	n := int(min(LongWindow, s.Examples()))
	if len(data) < 9*n {
		return errScore
	}
	outcomes, scores := data[:n], data[n:9*n]
	for i, b := range outcomes {
		o, score := outcome(b), math.Float64frombits(binary.LittleEndian.Uint64(scores[8*i:]))
		if o >= 1<<(predictors+1) || math.IsInf(score, 0) || math.IsNaN(score) {
			return errScore
		}
		s.outcomes[i], s.scores[i] = o, score
		for p := range predictors {
			s.long[p][o.cell(p)]++
			if i >= n-Window {
				s.last[p][o.cell(p)]++
			}
		}
	}
	for p := range predictors {
		for i, of := range s.long[p] {
			if of > s.all[p][i] {
				return errScore
			}
		}
	}
	s.filled, s.next = n, n%LongWindow
	if !s.loadGiven(data[9*n:]) {
		return errScore
	}
	return nil
}
