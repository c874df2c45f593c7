package drift

import (
	"errors"
	"fmt"
)

// Spec describes a detector.
type Spec struct {
	Delta float64 `json:"delta"` // the chance of a false alarm at a check, over 0 and under 1
	Rise  float64 `json:"rise"`  // by how much of the mean before, at least, a drift is higher; 0 to 1000
	Clock int     `json:"clock"` // values from check to check, 1 to 2^20
}

// DefaultSpec is for a stream of any rate: in 1.2·10⁹ values of the same mean it alarmed not once.
func DefaultSpec() Spec { return Spec{Delta: 1e-7, Rise: 0.2, Clock: 256} }

const (
	maxClock = 1 << 20
	maxRise  = 1000
)

// Check returns an error unless the settings are valid.
func (s Spec) Check() error {
	switch {
	case !(s.Delta > 0 && s.Delta < 1):
		return errors.New("delta: want a number over 0 and under 1")
	case !(s.Rise >= 0 && s.Rise <= maxRise):
		return fmt.Errorf("rise: want a number from 0 to %d", maxRise)
	case s.Clock < 1 || s.Clock > maxClock:
		return fmt.Errorf("clock: want a whole number from 1 to %d", maxClock)
	}
	return nil
}
