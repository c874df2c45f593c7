package model

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rosenblatt/learner/decision"
	"rosenblatt/learner/drift"
)

// What a detector of drifts looks at.
const (
	OfMistakes = "mistakes"
	OfCost     = "cost" // of a mistake, over that of the dearer one
)

// OnDriftReset is what Config.OnDrift may be: at a drift the learner begins anew, as untrained and with weights of 0.
const OnDriftReset = "reset"

// DefaultDrift are the settings of a detector that nobody has given any.
const DefaultDrift = "adwin"

const noDrift = "none"

// Drift says how drifts are detected.
type Drift struct {
	drift.Spec
	Of string `json:"of"` // OfMistakes or OfCost
}

// ParseDrift reads settings, adwin:delta=1e-7,rise=0.2,clock=256,of=mistakes or a part of them; nil: none. The rule of
// the cut says what mistakes cost, and so what is the default of what is looked at.
func ParseDrift(text, decide string) (*Drift, error) {
	name, rest, given := strings.Cut(text, ":")
	rule, _ := decision.ParseRule(decide)
	switch {
	case text == noDrift:
		return nil, nil
	case name != DefaultDrift:
		return nil, fmt.Errorf("drift: %q: want %s or %s, as adwin:delta=1e-7,rise=0.2,clock=256,of=mistakes", text,
			DefaultDrift, noDrift)
	}
	d := &Drift{Spec: drift.DefaultSpec(), Of: OfMistakes}
	if rule.Kind == decision.Cost {
		d.Of = OfCost
	}
	if given {
		if err := d.parse(rest); err != nil {
			return nil, fmt.Errorf("drift: %q: %w", text, err)
		}
	}
	if d.Of == OfCost && rule.Kind != decision.Cost {
		return nil, fmt.Errorf("drift: %q: of=%s needs decide cost=fp:N,fn:N, which says what mistakes cost", text,
			OfCost)
	}
	return d, nil
}

func (d *Drift) parse(text string) error {
	var seen []string
	for part := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(part, "=")
		if !ok || slices.Contains(seen, key) {
			return fmt.Errorf("%q: want each of delta, rise, clock and of at most once, as key=value", part)
		}
		seen = append(seen, key)
		if err := d.set(key, value); err != nil {
			return err
		}
	}
	return d.Check()
}

func (d *Drift) set(key, value string) (err error) {
	switch key {
	case "delta":
		d.Delta, err = strconv.ParseFloat(value, 64)
	case "rise":
		d.Rise, err = strconv.ParseFloat(value, 64)
	case "clock":
		d.Clock, err = strconv.Atoi(value)
	case "of":
		if d.Of = value; value != OfMistakes && value != OfCost {
			return fmt.Errorf("of: %q: want %s or %s", value, OfMistakes, OfCost)
		}
	default:
		return fmt.Errorf("unknown setting %q: want delta, rise, clock or of", key)
	}
	if err != nil {
		return fmt.Errorf("%s: %q: want a number", key, value)
	}
	return nil
}

// String writes the settings in one spelling, all of them.
func (d *Drift) String() string {
	if d == nil {
		return noDrift
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	return fmt.Sprintf("%s:delta=%s,rise=%s,clock=%d,of=%s", DefaultDrift, number(d.Delta), number(d.Rise), d.Clock,
		d.Of)
}

// SetDrift sets how drifts are detected and what then happens, as given, of a configuration that has its rule of the
// cut. Of detection alone the configuration holds nothing: rule says how, nil: not at all. The error names what is
// wrong.
func (f *Config) SetDrift(text, onDrift string) (rule *Drift, err error) {
	f.Drift, f.OnDrift = "", ""
	if rule, err = ParseDrift(cmp.Or(text, DefaultDrift), f.Decide); err != nil {
		return nil, err
	}
	switch onDrift {
	case noDrift, "":
		return rule, nil
	case OnDriftReset:
	default:
		return nil, fmt.Errorf("on-drift: %q: want %s or %s", onDrift, noDrift, OnDriftReset)
	}
	f.Drift, f.OnDrift = rule.String(), onDrift
	return rule, f.validateDrift()
}

// validateDrift names what is wrong with the settings of a reset.
func (f *Config) validateDrift() error {
	switch rule, err := ParseDrift(f.Drift, f.Decide); {
	case f.Drift == "" && f.OnDrift == "":
		return nil
	case f.OnDrift != OnDriftReset:
		return fmt.Errorf("on-drift: %q: want %s", f.OnDrift, OnDriftReset)
	case err != nil:
		return err
	case rule == nil:
		return fmt.Errorf("on-drift %s: with drift %s there is none: leave one of both out", f.OnDrift, noDrift)
	case f.NoLearn:
		return fmt.Errorf("on-drift %s: with no-learn the model would stay without weights: leave it out", f.OnDrift)
	}
	return nil
}
