package model

import (
	"encoding/json"

	"rosenblatt/learner/decision"
)

// Decision is how two labels get from scores to predictions, for people.
type Decision struct {
	Calibration string
	Rule        decision.Rule
	Odds        decision.Odds // of a score now
	Platt       decision.Platt
	Cut         decision.CutState

	Waits        bool // the rule is the sign of the score until enough labels are known
	HasThreshold bool
	Threshold    float64 // the score from which on positive is predicted now
}

// Decision returns how predictions come about, nil where the sign of the score decides and no probability is
// calibrated.
func (p *Processor) Decision() *Decision {
	by := p.task.decisions()
	if by == nil || by.plain() {
		return nil
	}
	d := &Decision{Calibration: CalibrateNone, Rule: by.cut.Rule(), Odds: decision.Plain, Platt: by.platt,
		Cut: by.cut.CutState}
	d.Waits = by.ruled && !by.cut.Ready()
	if by.calibrates {
		d.Calibration, d.Odds = CalibratePlatt, by.platt.Odds()
	}
	d.Threshold, d.HasThreshold = by.cut.Threshold(d.Odds)
	return d
}

// Lacks returns what the rule waits for, by the labels as Processor.Labels gives them.
func (d *Decision) Lacks(labels [2]string) []decision.Lack {
	var names [2]string
	for i, label := range labels {
		if json.Unmarshal([]byte(label), &names[i]) != nil {
			names[i] = label
		}
	}
	cut := decision.NewCut(d.Rule)
	cut.CutState = d.Cut
	return cut.Lacks(names)
}
