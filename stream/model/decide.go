package model

import (
	"encoding/json"
	"errors"

	"rosenblatt/learner"
	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/internal/number"
	"rosenblatt/stream/labels"
)

// How probabilities come about.
const (
	CalibrateNone  = "none"  // as the learner gives them, if it does
	CalibratePlatt = "platt" // decision.Platt
)

// decisions is how two labels get from scores to probabilities and predictions.
type decisions struct {
	calibrates bool // as CalibratePlatt says
	ruled      bool // by another rule than the sign of the score
	platt      decision.Platt
	cut        decision.Cut

	// What was predicted last: its probability by platt, unless that has learned since.
	score, p float64
	fresh    bool
}

// decisionsOf returns what a valid configuration says.
func decisionsOf(c *Config) (decisions, error) {
	rule, err := decision.ParseRule(c.Decide)
	if err != nil {
		return decisions{}, err
	}
	return decisions{calibrates: c.Calibration() == CalibratePlatt, ruled: rule.Kind != decision.Sign,
		platt: decision.NewPlatt(), cut: decision.NewCut(rule)}, nil
}

// plain reports whether the sign of the score decides, and the learner says how probable that is.
func (d *decisions) plain() bool { return !d.calibrates && !d.ruled }

// odds is how a score becomes log-odds now.
func (d *decisions) odds() decision.Odds {
	if d.calibrates {
		return d.platt.Odds()
	}
	return decision.Plain
}

// predict predicts by the score, which is set.
func (d *decisions) predict(m *learner.Model, o *Outcome) {
	odds := d.odds()
	positive := false
	positive, o.Threshold, o.HasThreshold = d.cut.Decide(o.Score, odds)
	o.Prediction = Negative
	if positive {
		o.Prediction = Positive
	}
	o.Ruled, o.Calibrated = d.ruled, d.calibrates
	if d.calibrates {
		d.score, d.p, d.fresh = o.Score, decision.Sigmoid(odds.Of(o.Score)), true
		o.Millionths = decision.MillionthsOf(d.p)
	}
	d.setProbability(m, o)
}

// setProbability sets the probability of a prediction whose score is set, and Millionths where it is Calibrated.
func (d *decisions) setProbability(m *learner.Model, o *Outcome) {
	o.Probable = true
	if o.Calibrated {
		o.Probability = o.predicted().Float()
		return
	}
	if o.Probability, o.Probable = m.ProbabilityOf(o.Score); !o.Probable {
		return
	}
	if (o.Score >= 0) != (o.Prediction == Positive) {
		o.Probability = 1 - o.Probability
	}
	if d.ruled {
		o.Millionths = decision.MillionthsOf(o.Positive())
	}
}

// predicted is Millionths of the label that is predicted.
func (o *Outcome) predicted() decision.Millionths {
	if o.Prediction == Positive {
		return o.Millionths
	}
	return o.Millionths.Rest()
}

// Positive is the probability of the positive one of two labels, where one is Probable.
func (o *Outcome) Positive() float64 {
	switch {
	case o.Calibrated:
		return o.Millionths.Float()
	case o.Prediction == Positive:
		return o.Probability
	}
	return 1 - o.Probability
}

// AppendProbability appends the probability of the prediction as JSON.
func (o *Outcome) AppendProbability(dst []byte) []byte {
	if o.Calibrated {
		return o.predicted().Append(dst)
	}
	return number.Append(dst, o.Probability)
}

// AppendPositive appends the probability of the positive label as JSON.
func (o *Outcome) AppendPositive(dst []byte) []byte {
	if o.Calibrated {
		return o.Millionths.Append(dst)
	}
	return number.Append(dst, o.Positive())
}

// ofLabel is the probability that the prediction gave the label.
func (o *Outcome) ofLabel() float64 {
	switch {
	case o.Calibrated && o.Label == Positive:
		return o.Millionths.Float()
	case o.Calibrated:
		return o.Millionths.Rest().Float()
	case o.Probable && o.Mistake:
		return max(1-o.Probability, metrics.MinProbability)
	case o.Probable:
		return max(o.Probability, metrics.MinProbability)
	}
	return 0
}

// Kept is what an example that waits for its label keeps of its prediction.
func (o *Outcome) Kept() labels.Published {
	return labels.NewPublished(labels.Prediction{Class: o.Prediction, Untrained: o.Untrained, Millionths: o.Millionths,
		Calibrated: o.Calibrated})
}

// Count counts a prediction more (n = 1) or less (n = -1) among those that wait for what they teach a cut, as
// labels.Waiting does.
func (o *Outcome) Count(w *decision.Waiting, n int64) {
	if o.Millionths > 0 && !o.Untrained {
		w.Add(o.Prediction == Positive, o.Millionths, n)
	}
}

// publish notes a published prediction.
func (d *decisions) publish(o *Outcome) {
	if d.ruled && !o.Untrained {
		d.cut.Publish(o.Prediction == Positive)
	}
}

// learn learns the label of a published prediction. The calibration is before the cut.
func (d *decisions) learn(o *Outcome) {
	//mutation:untrained-teaches-nothing
	if o.Untrained {
		return
	}
	odds := d.odds()
	//mutation:probability-is-fresh
	if fresh := d.fresh && d.score == o.Score; d.calibrates && fresh {
		d.platt.LearnFrom(o.Score, d.p, o.Label == Positive)
	} else if d.calibrates {
		d.platt.Learn(o.Score, o.Label == Positive)
	}
	d.fresh = false
	if d.ruled {
		d.cut.Learn(odds.Of(o.Score), o.Label == Positive, o.Prediction == Positive, o.Waiting)
	}
}

// inherit goes on with what from has learned, where it is of the same kind. Another rule has a cut that starts anew.
// But labels that are known stay known, unless the probabilities start anew, too. Without a rule known are those of the
// figures.
func (d *decisions) inherit(from *decisions, known [2]int64) {
	d.fresh = false
	if d.calibrates && from.calibrates {
		d.platt = from.platt
	}
	switch {
	case !d.ruled:
	case d.cut.Rule() == from.cut.Rule():
		d.cut = from.cut
	//mutation:known-to-the-calibration
	case !d.calibrates || from.calibrates:
		//mutation:known-labels-stay
		d.cut.Inherit(&from.cut, known)
	}
}

// decisionState is the section of a checkpoint.
type decisionState struct {
	Platt *decision.Platt    `json:"platt,omitempty"`
	Cut   *decision.CutState `json:"cut,omitempty"`
}

// appendTo appends the state, nothing where all is plain.
func (d *decisions) appendTo(dst []byte) ([]byte, error) {
	if d.plain() {
		return dst, nil
	}
	var s decisionState
	if d.calibrates {
		s.Platt = &d.platt
	}
	if d.ruled {
		s.Cut = &d.cut.CutState
	}
	text, err := json.Marshal(&s)
	return append(dst, text...), err
}

// load reads what appendTo appended.
func (d *decisions) load(text []byte) error {
	if d.plain() {
		return nil
	}
	var s decisionState
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	switch {
	case (s.Platt != nil) != d.calibrates, (s.Cut != nil) != d.ruled:
		return errors.New("it is of other settings than the header's")
	case d.calibrates && !s.Platt.Valid(), d.ruled && !d.cut.Load(*s.Cut):
		return errors.New("a number in it is out of range")
	}
	if d.calibrates {
		d.platt = *s.Platt
	}
	return nil
}
