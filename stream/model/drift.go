package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rosenblatt/learner/decision"
	"rosenblatt/learner/drift"
)

// Drifted is a drift that was detected. Examples have a label and are not untrained ones.
type Drifted struct {
	Example    int64   `json:"example"`    // the one whose label showed it, in the order of learning, from 1
	Prediction int64   `json:"prediction"` // its number among all that was learned, with a label or without
	Before     float64 `json:"before"`     // the mean of the older examples
	After      float64 `json:"after"`      // and of the newer ones
	Newer      int64   `json:"newer"`      // how many are newer: about so many examples ago it began
	Reset      bool    `json:"reset,omitempty"`
}

// mostDrifts is how many drifts are kept.
const mostDrifts = 100

// drifts detects drifts of the published predictions, in the order in which their labels are learned.
type drifts struct {
	rule     Drift
	resets   bool
	detector drift.Detector
	list     []Drifted  // the latest, oldest first
	value    [2]float64 // of a mistake, by the label
}

// newDrifts begins a detector. The rule of the cut says what mistakes cost.
func newDrifts(rule Drift, decide string, resets bool) *drifts {
	d := &drifts{rule: rule, resets: resets, detector: drift.New(rule.Spec), value: [2]float64{1, 1}}
	if by, _ := decision.ParseRule(decide); by.Kind == decision.Cost && rule.Of == OfCost {
		dearer := max(by.FP, by.FN)
		d.value = [2]float64{Negative: by.FP / dearer, Positive: by.FN / dearer}
	}
	return d
}

// configuredDrifts are those that the model itself depends on, nil if it depends on none. The configuration is valid.
func configuredDrifts(c *Config) (*drifts, error) {
	if c.OnDrift != OnDriftReset {
		return nil, nil
	}
	rule, err := ParseDrift(c.Drift, c.Decide)
	if err != nil || rule == nil {
		return nil, err
	}
	return newDrifts(*rule, c.Decide, true), nil
}

// add takes a prediction whose label is learned now, and reports whether that shows a drift.
func (d *drifts) add(o *Outcome, score Score) (drifted bool) {
	//mutation:untrained-does-not-drift
	if o.Untrained {
		return false
	}
	x := 0.0
	if o.Mistake {
		x = 1
		if d.rule.Of == OfCost {
			x = d.value[o.Label]
		}
	}
	if !d.detector.Add(x) {
		return false
	}
	found, _ := d.detector.Latest()
	if found.Drift {
		d.list = append(d.list, Drifted{Example: score.Examples(), Prediction: score.Predictions(),
			Before: found.Before, After: found.After, Newer: found.Newer, Reset: d.resets})
		d.list = d.list[max(0, len(d.list)-mostDrifts):]
	}
	return found.Drift
}

// only has drifts detected, without a reset.
func (d *drifts) only() {
	if d != nil {
		d.resets = false
	}
}

func (d *drifts) clone() *drifts {
	if d == nil {
		return nil
	}
	out := *d
	out.list = slices.Clone(d.list)
	return &out
}

// DetectBy has drifts detected so from now on, by nothing if rule is nil. A configuration on which the model depends
// has its own rule. What is known by other settings is forgotten.
func (p *Processor) DetectBy(c *Config, rule *Drift) {
	shown := p.published
	_ = p.each(func(name string, of *Processor) error { // it returns nil
		fixed := c.Of(name)
		of.detectBy(&fixed, rule.beside(c.Decide, fixed.Decide))
		if shown != nil && of == p {
			shown.detectBy(&fixed, rule.beside(c.Decide, fixed.Decide))
			shown.drifts.only()
		}
		return nil
	})
}

func (p *Processor) detectBy(c *Config, rule *Drift) {
	next, _ := configuredDrifts(c) // it is valid
	if next == nil && rule != nil {
		next = newDrifts(*rule, c.Decide, false)
	}
	//mutation:drifts-of-other-settings
	if next != nil && next.alike(p.drifts) {
		p.drifts.resets = next.resets
		return
	}
	p.drifts = next
}

// alike reports whether both have the same settings.
func (d *drifts) alike(other *drifts) bool {
	return d != nil && other != nil && d.rule == other.rule && d.value == other.value
}

// inheritDrifts goes on with what from has seen, where both have the same settings.
func (p *Processor) inheritDrifts(from *Processor) {
	resets := p.drifts != nil
	if resets && !p.drifts.alike(from.drifts) || from.drifts == nil {
		return
	}
	p.drifts = from.drifts.clone()
	p.drifts.resets = resets
}

// DriftReport is what is known of drifts, for people.
type DriftReport struct {
	Rule    string    `json:"rule"`             // as Drift.String writes it
	Resets  bool      `json:"resets,omitempty"` // the learner begins anew at a drift
	Seen    int64     `json:"examples"`         // that were looked at
	Drifts  int64     `json:"drifts"`           // detected
	Changes int64     `json:"changes"`          // likewise, with drifts
	Window  int64     `json:"window"`           // examples since the latest change
	Mean    float64   `json:"mean"`             // of these
	List    []Drifted `json:"list"`             // the latest drifts, oldest first
}

// OfCost reports whether the mean is of costs.
func (r *DriftReport) OfCost() bool { return strings.HasSuffix(r.Rule, "of="+OfCost) }

// DriftReport returns what is known of drifts, nil where they are not detected.
func (p *Processor) DriftReport() *DriftReport { return p.shown().drifts.report() }

func (d *drifts) report() *DriftReport {
	if d == nil {
		return nil
	}
	r := &DriftReport{Rule: d.rule.String(), Resets: d.resets, Seen: d.detector.Seen(), Drifts: d.detector.Drifts(),
		Changes: d.detector.Changes(), List: append([]Drifted{}, d.list...)}
	r.Window, r.Mean = d.detector.Window()
	return r
}

// driftState is the section of a checkpoint.
type driftState struct {
	Of       string          `json:"of"`
	Value    [2]float64      `json:"value"` // of a mistake, by the label
	Detector *drift.Detector `json:"detector"`
	List     []Drifted       `json:"list,omitempty"`
}

func (d *drifts) save() ([]byte, error) {
	return json.Marshal(&driftState{Of: d.rule.Of, Value: d.value, Detector: &d.detector, List: d.list})
}

// loadDrifts reads what save wrote. is is what the configuration says, nil if nothing depends on drifts.
func loadDrifts(text []byte, is *drifts) (*drifts, error) {
	var s driftState
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if s.Detector == nil || s.Of != OfMistakes && s.Of != OfCost {
		return nil, errors.New("it has no detector")
	}
	d := &drifts{rule: Drift{s.Detector.Spec(), s.Of}, detector: *s.Detector, list: s.List, value: s.Value,
		resets: is != nil}
	for _, x := range d.value {
		if !(x >= 0 && x <= 1) {
			return nil, fmt.Errorf("a mistake counts %v: want 0 to 1", x)
		}
	}
	if int64(len(d.list)) > min(mostDrifts, d.detector.Drifts()) {
		return nil, fmt.Errorf("it lists %d drifts of %d", len(d.list), d.detector.Drifts())
	}
	if is != nil && !is.alike(d) {
		return nil, errors.New("it is of other settings than the header's")
	}
	return d, nil
}
