package learner

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The values that Spec's words may take.
const (
	Perceptron      = "perceptron" // Spec.Learner: Rosenblatt's perceptron
	UpdateThreshold = "threshold"  // Spec.Update: learn when label*score <= threshold
	UpdateMistake   = "mistake"    // Spec.Update: learn when the prediction was wrong
	ScaleStandard   = "standard"   // Spec.Scale: (x-mean)/deviation
	ScaleMaxAbs     = "maxabs"     // Spec.Scale: x/max|x|
	ScaleNone       = "none"       // Spec.Scale: x
)

// Limits and defaults of a Spec.
const (
	MaxValue        = 1e30    // largest magnitude of a feature's value, an example's weight, a start weight
	MaxBits         = 30      // largest Spec.Bits
	DefaultBits     = 18      // 262,144 slots
	DefaultMaxNames = 262_144 // names kept
	MaxNameBytes    = 256     // a name's length in the table; longer ones are cut
)

// Spec says what a model is. Fields left zero mean their defaults. Specs can be compared with == once WithDefaults has
// filled them in; a saved state fits a model of an equal Spec.
type Spec struct {
	Learner   string  `json:"learner"`   // "perceptron", the default
	Rate      float64 `json:"rate"`      // the step's factor, over 0 up to 1, default 1
	Threshold float64 `json:"threshold"` // learn when label*score is at most this, 0 to MaxValue, default 0
	Update    string  `json:"update"`    // "threshold", the default, or "mistake", for which Threshold must be 0
	Scale     string  `json:"scale"`     // "none", the default, "standard" or "maxabs"
	Bits      int     `json:"bits"`      // the model has 2^Bits slots, 1 to MaxBits, default DefaultBits
	MaxNames  int     `json:"maxNames"`  // bound on the names kept, default DefaultMaxNames; it reaches no score
}

// WithDefaults returns s with its zero fields filled in.
func (s Spec) WithDefaults() Spec {
	if s.Learner == "" {
		s.Learner = Perceptron
	}
	if s.Rate == 0 {
		s.Rate = 1
	}
	if s.Update == "" {
		s.Update = UpdateThreshold
	}
	if s.Scale == "" {
		s.Scale = ScaleNone
	}
	if s.Bits == 0 {
		s.Bits = DefaultBits
	}
	if s.MaxNames == 0 {
		s.MaxNames = DefaultMaxNames
	}
	return s
}

// Validate says what is wrong with s, naming the field, its value and what is allowed. Zero fields are their defaults.
func (s Spec) Validate() error {
	s = s.WithDefaults()
	switch {
	case s.Learner != Perceptron:
		return fmt.Errorf("learner: unknown learner %q: want %s", s.Learner, Perceptron)
	case !(s.Rate > 0 && s.Rate <= 1):
		return fmt.Errorf("learner: rate %v: want a number over 0 and up to 1", s.Rate)
	case !(s.Threshold >= 0 && s.Threshold <= MaxValue):
		return fmt.Errorf("learner: threshold %v: want a number from 0 to %v", s.Threshold, MaxValue)
	case s.Update != UpdateThreshold && s.Update != UpdateMistake:
		return fmt.Errorf("learner: update %q: want %s or %s", s.Update, UpdateThreshold, UpdateMistake)
	case s.Update == UpdateMistake && s.Threshold != 0:
		return fmt.Errorf("learner: threshold %v: update=%s knows no threshold", s.Threshold, UpdateMistake)
	case s.Scale != ScaleStandard && s.Scale != ScaleMaxAbs && s.Scale != ScaleNone:
		return fmt.Errorf("learner: scale %q: want %s, %s or %s", s.Scale, ScaleStandard, ScaleMaxAbs, ScaleNone)
	case s.Bits < 1 || s.Bits > MaxBits:
		return fmt.Errorf("learner: bits %d: want 1 to %d", s.Bits, MaxBits)
	case s.MaxNames < 0 || s.MaxNames > math.MaxInt32:
		return fmt.Errorf("learner: max names %d: want 1 to %d", s.MaxNames, math.MaxInt32)
	}
	return nil
}

// String is the learner with the parameters that are not at their defaults, in the form ParseLearner reads. Scale, bits
// and names are not part of it.
func (s Spec) String() string {
	s = s.WithDefaults()
	var parts []string
	if s.Rate != 1 {
		parts = append(parts, "rate="+strconv.FormatFloat(s.Rate, 'g', -1, 64))
	}
	if s.Threshold != 0 {
		parts = append(parts, "threshold="+strconv.FormatFloat(s.Threshold, 'g', -1, 64))
	}
	if s.Update != UpdateThreshold {
		parts = append(parts, "update="+s.Update)
	}
	if len(parts) == 0 {
		return s.Learner
	}
	return s.Learner + ":" + strings.Join(parts, ",")
}
