package metrics

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// binaryState is a Binary in JSON, without its ring and bins.
type binaryState struct {
	totals
	All           [predictors]cells `json:"all"`
	Fading        [predictors]cells `json:"fading"`
	Probabilities *probabilityState `json:"probabilities,omitempty"`
	Loss          perceptronLoss    `json:"perceptronLoss"`
	Left          *leftOut          `json:"leftOut,omitempty"` // nil without such examples
}

var errScore = errors.New("metrics: invalid saved score")

// MarshalJSON writes the state but what AppendLast and AppendBins append.
func (s *Binary) MarshalJSON() ([]byte, error) {
	state := binaryState{totals: s.totals, All: s.all, Fading: s.fading, Probabilities: s.probabilities.state(),
		Loss: s.loss}
	if s.left != (leftOut{}) {
		state.Left = &s.left
	}
	return json.Marshal(state)
}

// UnmarshalJSON reads a state and checks it. On an error s is unchanged. LoadLast and LoadBins read the rest.
func (s *Binary) UnmarshalJSON(text []byte) error {
	var state binaryState
	if err := json.Unmarshal(text, &state); err != nil {
		return fmt.Errorf("metrics: score: %w", err)
	}
	loaded := Binary{counters: counters{totals: state.totals}, all: state.All, fading: state.Fading, loss: state.Loss}
	if state.Left != nil {
		loaded.left = *state.Left
	}
	if !loaded.countsAgree() || !loaded.probabilities.load(state.Probabilities, loaded.Examples()) ||
		!state.Loss.valid() {
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
