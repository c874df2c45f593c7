package metrics

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// multiclassState is a Multiclass in JSON, without its ring.
type multiclassState struct {
	totals
	Scale  float64      `json:"scale"`
	Total  float64      `json:"fadingTotal"`
	All    [][]float64  `json:"all"`    // tally.counts
	Fading [][]float64  `json:"fading"` // likewise
	Cells  [][4]float64 `json:"cells"`  // label, prediction, count, fading count

	Probabilities *probabilityState `json:"probabilities,omitempty"`

	Left       []float64 `json:"leftOut,omitempty"`       // Multiclass.left
	LeftLatest int       `json:"leftOutLatest,omitempty"` // Multiclass.leftLatest
}

// maxClasses bounds the classes of a saved score: the largest learner.MultiSpec.MaxClasses.
const maxClasses = 10_000

// MarshalJSON writes the state but what AppendLast appends.
func (s *Multiclass) MarshalJSON() ([]byte, error) {
	state := multiclassState{totals: s.totals, Scale: s.scale, Total: s.fading.total, All: s.all.counts[:],
		Fading: s.fading.counts[:], Probabilities: s.probabilities.state(), Left: s.left, LeftLatest: s.leftLatest}
	for _, c := range s.cells {
		state.Cells = append(state.Cells, [4]float64{float64(c.label), float64(c.prediction), c.all, c.fading})
	}
	return json.Marshal(state)
}

// UnmarshalJSON reads a state and checks it: see Binary.UnmarshalJSON.
func (s *Multiclass) UnmarshalJSON(text []byte) error {
	var state multiclassState
	if err := json.Unmarshal(text, &state); err != nil {
		return fmt.Errorf("metrics: score: %w", err)
	}
	l := &Multiclass{counters: counters{totals: state.totals}, scale: state.Scale, left: state.Left,
		leftLatest: state.LeftLatest}
	if !l.all.load(state.All) || !l.fading.load(state.Fading) || len(l.all.labels()) != len(l.fading.labels()) {
		return errScore
	}
	labels := l.all.labels()
	l.all.total, l.fading.total = sumOf(labels), state.Total
	l.last.fits(int32(len(labels) - 1))
	l.long.fits(int32(len(labels) - 1))
	if !l.countsAgree() || !l.fillCells(state.Cells) || !l.probabilities.load(state.Probabilities, l.Examples()) {
		return errScore
	}
	for c := range max(len(labels), len(l.left)) {
		if l.seen(c) > l.seen(l.majority) {
			l.majority = c
		}
	}
	*s = *l
	return nil
}

// load reads counts, which must all have the same length.
func (t *tally) load(counts [][]float64) bool {
	if len(counts) != len(t.counts) || len(counts[0]) > maxClasses+1 {
		return false
	}
	outside := func(x float64) bool { return !(x >= 0 && x <= 1e120) }
	for i, c := range counts {
		if len(c) != len(counts[0]) || slices.ContainsFunc(c, outside) {
			return false
		}
		t.counts[i] = c
	}
	return true
}

func (s *Multiclass) countsAgree() bool {
	examples := s.all.total
	notCount := func(x float64) bool { return !isCount(x) }
	if len(s.left) > maxClasses+1 || slices.ContainsFunc(s.left, notCount) ||
		s.leftLatest < 0 || s.leftLatest > len(s.left) || s.leftLatest > 0 && s.left[s.leftLatest-1] == 0 {
		return false
	}
	if !s.totals.agree(examples+sumOf(s.left)) || examples > 1<<53 ||
		!(s.fading.total >= 0 && s.fading.total <= 1e120) {
		return false
	}
	if started := examples > 0; started != (s.scale >= 1 && s.scale <= 1e100) || !started && s.scale != 0 {
		return false
	}
	broken := func(x float64) bool { return x != math.Trunc(x) }
	for _, counts := range s.all.counts {
		if slices.ContainsFunc(counts, broken) {
			return false
		}
	}
	for p := range predictors {
		if sumOf(s.all.predicted(p)) != examples {
			return false
		}
		for c, hits := range s.all.hits(p) {
			if hits > s.all.labels()[c] || hits > s.all.predicted(p)[c] {
				return false
			}
		}
	}
	return true
}

// fillCells loads the confusion matrix, which must have the sums of the counts loaded before.
func (s *Multiclass) fillCells(cells [][4]float64) bool {
	classes := len(s.all.labels())
	labels, predicted := make([]float64, classes), make([]float64, classes)
	for _, c := range cells {
		if !(c[0] >= 0 && c[0] < float64(classes) && c[1] >= 0 && c[1] < float64(classes)) ||
			!(c[2] >= 1 && c[2] <= 1<<53 && c[3] >= 0 && c[3] <= 1e120) {
			return false
		}
		p := pair{int32(c[0]), int32(c[1])}
		if _, known := s.index[p]; known {
			return false
		}
		to := s.cellOf(p)
		to.all, to.fading = c[2], c[3]
		labels[p.label] += c[2]
		predicted[p.prediction] += c[2]
	}
	return slices.Equal(labels, s.all.labels()) && slices.Equal(predicted, s.all.predicted(learned))
}
