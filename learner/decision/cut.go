package decision

import "math"

// The constants of Cut.
const (
	ready       = 20   // examples of each label before the rule holds
	readyEvents = 100  // of Alerts: events
	leastStep   = 0.2  // of the cut, but for waiting predictions
	mostWaiting = 3.0  // the sum of the steps that they may bring
	mostCut     = 30.0 // the cut stays within this, either way
	backwards   = 1e-4 // of its distance from the start a cut of Precision goes back where it is silent

	nearby    = 0.25 // log-odds: as far from a cut of Cost labels move it
	leastNear = 0.1  // of its step
	mostNear  = 3.0  // it stays within this of the start, either way
)

// Cut predicts positive from a log-odds on. The rule is Sign until 20 examples of each label were counted, of Alerts
// 100 events.
//
// Three rules move the cut θ (Gibbs and Candès, Adaptive Conformal Inference Under Distribution Shift, NeurIPS 2021),
// each by a step g:
//
//	precision=P  each positive prediction whose label becomes known: θ += g·(P - hit), hit = 1 if it was right
//	recall=R     each positive label: θ -= g·(R - hit), hit = 1 if positive was predicted
//	alerts=A     each event: θ += g·(hit - A), hit = 1 if positive was predicted
//
// The step of the k-th move is 1/√k, at least 0.2. With later labels a cut hears of its predictions when many others
// were made by it: g is at most 3/(1 + w), and w how many positive predictions wait, of recall the sum of p of all that
// wait. A cut of precision that is silent would hear nothing, so each event for which it predicts no positive takes it
// a little back.
//
// The cut of cost begins where by its probability an example costs as much either way (Elkan, IJCAI 2001), at
// q = FP/(FP + FN). A calibration of two numbers is not right everywhere, so the labels of examples near the cut move
// it: those with log-odds t of which w = 1 - (4·(t - θ))² is above 0, by g·w·(q - y), y = 1 or 0. It rests where q of
// them are positive. The step g of the k-th of them is 1/(1 + k·q·(1 - q)·2/3), at least 0.1. It does not depend on
// what was predicted, so later labels need no bound.
type Cut struct {
	rule  Rule
	start float64
	CutState
}

// CutState is what a Cut has learned.
type CutState struct {
	Theta    float64  `json:"theta"` // the log-odds from which on positive is predicted
	Labels   [2]int64 `json:"labels"`
	Events   int64    `json:"events"` // published predictions
	Progress Progress `json:"progress"`
}

// NewCut makes a cut that has learned nothing.
func NewCut(r Rule) Cut {
	start := min(max(r.start(), -mostCut), mostCut)
	return Cut{rule: r, start: start, CutState: CutState{Theta: start}}
}

// Load gives the cut a saved state. It reports whether that can be one.
func (c *Cut) Load(s CutState) bool {
	valid := s.Theta == c.start || c.moves() && math.Abs(s.Theta) <= mostCut
	if !valid || min(s.Labels[0], s.Labels[1], s.Events) < 0 || !s.Progress.valid() {
		return false
	}
	c.CutState = s
	return true
}

// Begin has the rule hold from now on, from this log-odds where it moves. It moves from there as a new one does.
func (c *Cut) Begin(theta float64) {
	c.Labels, c.Events = [2]int64{ready, ready}, readyEvents
	if c.moves() {
		c.Theta = min(max(theta, -mostCut), mostCut)
	}
}

// moves reports whether labels, or events, move the cut.
func (c *Cut) moves() bool { return c.rule.Moves() || c.rule.Kind == Cost }

// Rule returns the rule of the cut.
func (c *Cut) Rule() Rule { return c.rule }

// Ready reports whether the rule holds already.
func (c *Cut) Ready() bool {
	switch c.rule.Kind {
	case Sign:
		return false
	case Alerts:
		return c.Events >= readyEvents
	}
	return min(c.Labels[0], c.Labels[1]) >= ready
}

// Decide predicts. Positive is a score from the threshold on. There is none while the rule is Sign, and where all
// scores have one probability.
func (c *Cut) Decide(s float64, o Odds) (positive bool, threshold float64, has bool) {
	switch {
	case !c.Ready():
		return s >= 0, 0, false
	case o.Slope == 0:
		return o.Offset >= c.Theta, 0, false
	}
	threshold = c.threshold(o)
	return s >= threshold, threshold, true
}

func (c *Cut) threshold(o Odds) float64 {
	return min(max((c.Theta-o.Offset)/o.Slope, -math.MaxFloat64), math.MaxFloat64)
}

// Threshold is the score from which on Decide predicts positive, where there is one.
func (c *Cut) Threshold(o Odds) (threshold float64, has bool) {
	if !c.Ready() || o.Slope == 0 {
		return 0, false
	}
	return c.threshold(o), true
}

// Publish notes a published prediction.
func (c *Cut) Publish(positive bool) {
	holds := c.Ready()
	c.Events++
	switch {
	case !holds:
	case c.rule.Kind == Alerts:
		c.move(c.rule.Value, positive, 1, 0)
	//mutation:cut-not-silent-for-ever
	case c.rule.Kind == Precision && !positive && c.Theta > c.start:
		c.Theta -= float64(backwards * (c.Theta - c.start))
	}
}

// Waiting is what waits for labels.
type Waiting struct {
	Positives  int64 `json:"positives"`  // predicted so
	Millionths int64 `json:"millionths"` // the sum of their probabilities
}

// Add counts a prediction more (n = 1) or less (n = -1).
func (w *Waiting) Add(positive bool, p Millionths, n int64) {
	if positive {
		w.Positives += n
	}
	w.Millionths += n * int64(p)
}

// Learn takes the label of a published prediction, and what waits but for that. The log-odds of its score are as they
// were before the calibration learned the label.
func (c *Cut) Learn(logOdds float64, label, predicted bool, w Waiting) {
	if label {
		c.Labels[1]++
	} else {
		c.Labels[0]++
	}
	switch {
	case !c.Ready():
	case c.rule.Kind == Precision && predicted:
		c.move(c.rule.Value, label, -1, float64(w.Positives))
	case c.rule.Kind == Recall && label:
		c.move(c.rule.Value, predicted, 1, float64(w.Millionths)/million)
	case c.rule.Kind == Cost:
		c.approach(logOdds, label)
	}
}

// approach moves a cut of Cost by a label near it.
func (c *Cut) approach(logOdds float64, label bool) {
	u := (logOdds - c.Theta) / nearby
	//mutation:cost-hears-near-labels
	if !(math.Abs(u) < 1) {
		return
	}
	c.Progress.add(label)
	q := c.rule.FP / (c.rule.FP + c.rule.FN)
	g := max(leastNear, 1/(1+float64(float64(c.Progress.Count)*float64(float64(q*(1-q))*2/3))))
	off := q
	if label {
		off = q - 1
	}
	theta := c.Theta + float64(float64(g*(1-float64(u*u)))*off)
	c.Theta = min(max(theta, c.start-mostNear, -mostCut), c.start+mostNear, mostCut)
}

// move moves the cut by a step up (1) or down (-1) times hit less the target.
func (c *Cut) move(target float64, hit bool, up, waiting float64) {
	c.Progress.add(hit)
	g := max(leastStep, 1/math.Sqrt(float64(c.Progress.Count)))
	//mutation:cut-damped-by-waiting
	g = min(g, mostWaiting/(1+waiting))
	off := -target
	if hit {
		off = 1 - target
	}
	c.Theta = min(max(c.Theta+float64(g*float64(up*off)), -mostCut), mostCut)
}
