package model

import (
	"errors"
	"fmt"

	"rosenblatt/learner/decision"
)

// Calibration is CalibrateNone or CalibratePlatt: where nothing is given, a rule needs a probability.
func (f *Config) Calibration() string {
	switch rule, err := decision.ParseRule(f.Decide); {
	case f.Calibrate != "":
		return f.Calibrate
	case f.multiclass(), err != nil, rule.Kind == decision.Sign, f.Learner.Probable():
		return CalibrateNone
	}
	return CalibratePlatt
}

// SetDecisions sets calibration and rule as given, where empty is the default. The error names what is wrong with them.
func (f *Config) SetDecisions(calibrate, decide string) error {
	f.Calibrate, f.Decide = calibrate, decide
	if rule, err := decision.ParseRule(decide); err == nil && rule.Kind == decision.Sign {
		f.Decide = ""
	} else if err == nil {
		f.Decide = rule.String()
	}
	if err := f.validateDecisions(); err != nil {
		return err
	}
	if f.Calibrate = f.Calibration(); f.Calibrate == CalibrateNone {
		f.Calibrate = ""
	}
	return nil
}

// validateDecisions names what is wrong with the settings of decisions.
func (f *Config) validateDecisions() error {
	rule, err := decision.ParseRule(f.Decide)
	switch {
	case f.multiclass() && (f.Calibrate != "" || f.Decide != ""):
		return errors.New("calibrate and decide are for two labels: leave them out")
	case err != nil:
		return fmt.Errorf("decide: %w", err)
	case f.Calibrate != "" && f.Calibrate != CalibrateNone && f.Calibrate != CalibratePlatt:
		return fmt.Errorf("calibrate: %q: want platt or none", f.Calibrate)
	case rule.Kind != decision.Sign && f.Calibration() == CalibrateNone && !f.Learner.Probable():
		return fmt.Errorf("decide %v: it goes by probabilities, and %s gives none: want calibrate platt", rule,
			f.Learner.WithDefaults().Learner)
	}
	return nil
}
