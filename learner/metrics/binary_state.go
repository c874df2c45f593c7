package metrics

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// binaryState is a Binary in JSON, the window oldest first, so that equal scores have equal JSON.
type binaryState struct {
	totals
	All      [predictors]cells `json:"all"`
	Fading   [predictors]cells `json:"fading"`
	Outcomes []byte            `json:"outcomes"` // an outcome for each example of the window
	Scores   []byte            `json:"scores"`   // a little-endian float64 for each
	Losses   *lossState        `json:"losses,omitempty"`
	Loss     perceptronLoss    `json:"perceptronLoss"`
	Left     *leftOut          `json:"leftOut,omitempty"` // nil without such examples
}

var errScore = errors.New("metrics: invalid saved score")

// MarshalJSON writes the state, up to 26 kB.
func (s Binary) MarshalJSON() ([]byte, error) {
	state := binaryState{totals: s.totals, All: s.all, Fading: s.fading, Losses: s.losses.state(&s.counters),
		Loss: s.loss}
	if s.left != (leftOut{}) {
		state.Left = &s.left
	}
	for i := range s.filled {
		at := s.place(i)
		state.Outcomes = append(state.Outcomes, byte(s.outcomes[at]))
		state.Scores = binary.LittleEndian.AppendUint64(state.Scores, math.Float64bits(s.scores[at]))
	}
	return json.Marshal(state)
}

// UnmarshalJSON reads a state and checks it. On an error s is unchanged.
func (s *Binary) UnmarshalJSON(text []byte) error {
	var state binaryState
	if err := json.Unmarshal(text, &state); err != nil {
		return fmt.Errorf("metrics: score: %w", err)
	}
	loaded := Binary{counters: counters{totals: state.totals}, all: state.All, fading: state.Fading, loss: state.Loss}
	if state.Left != nil {
		loaded.left = *state.Left
	}
	if !loaded.countsAgree() || !loaded.fill(state.Outcomes, state.Scores) ||
		!loaded.losses.load(state.Losses, loaded.Examples()) || !state.Loss.valid() {
		return errScore
	}
	*s = loaded
	return nil
}

// countsAgree checks the counts over the whole stream.
func (s *Binary) countsAgree() bool {
	examples, left := s.all[learned].total(), s.left.Labels[0]+s.left.Labels[1]
	if !s.left.agrees() || !s.totals.agree(examples+left) || float64(s.totals.Updates) > examples+left {
		return false
	}
	for p := range predictors {
		all, fading := &s.all[p], &s.fading[p]
		if all.positives() != s.all[learned].positives() || all.total() != examples {
			return false
		}
		for i := range all {
			if !isCount(all[i]) || !(fading[i] >= 0 && fading[i] <= all[i]) {
				return false
			}
		}
	}
	return true
}

// agrees checks loaded counts.
func (l *leftOut) agrees() bool {
	for _, n := range l.Labels {
		if !isCount(n) {
			return false
		}
	}
	return l.Latest == 0 || (l.Latest == 1 || l.Latest == -1) && l.Labels[(l.Latest+1)/2] > 0
}

// isCount reports whether x is a whole number that is counted exactly.
func isCount(x float64) bool { return x >= 0 && x <= 1<<53 && x == math.Trunc(x) }

// fill loads a window: the newest Window examples, or all if there were fewer.
func (s *Binary) fill(outcomes, scores []byte) bool {
	if len(outcomes) != int(min(Window, s.all[learned].total())) || len(scores) != 8*len(outcomes) {
		return false
	}
	for i, b := range outcomes {
		o := outcome(b)
		s.scores[i] = math.Float64frombits(binary.LittleEndian.Uint64(scores[8*i:]))
		if o >= 1<<(predictors+1) || math.IsInf(s.scores[i], 0) || math.IsNaN(s.scores[i]) {
			return false
		}
		s.outcomes[i] = o
		for p := range predictors {
			s.last[p][o.cell(p)]++
		}
	}
	s.filled = len(outcomes)
	s.next = s.filled % Window
	return true
}
