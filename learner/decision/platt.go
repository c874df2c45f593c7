package decision

import "math"

// The constants of Platt.
const (
	window     = 300.0 // old examples fade as errors add up to this
	damping    = 0.3   // examples with the mean and the mean square of the scores so far
	guarded    = 200   // for so many labels a is 0 to guard over the deviation of the scores
	guard      = 4.0
	mostMiddle = 5.0   // and the log-odds of the mean score within this
	mostMove   = 3.0   // of the log-odds of a step's own example
	mostSize   = 1e100 // of a score that teaches: its square can still be multiplied
	alike      = 1e-12 // of det(H)/(H00·H11): below it the scores are as good as equal
)

// Odds says how a score becomes the log-odds of the positive label: t = Slope·s + Offset. The slope is not negative.
type Odds struct{ Slope, Offset float64 }

// Plain are the log-odds of a learner whose score is one.
var Plain = Odds{Slope: 1}

// Of returns the log-odds of a score.
func (o Odds) Of(s float64) float64 { return float64(o.Slope*s) + o.Offset }

// Platt is a logistic regression of the label on the score alone (Platt 1999), learned online by second-order steps
// (Gupta and Ramdas, Online Platt Scaling with Calibeating, ICML 2023). With y = 1 or 0 and p as it is before the step,
//
//	H ← (1 - |y-p|/300)·H + p·(1-p)·(s,1)(s,1)ᵀ
//	(a, c) += (H + D)⁻¹·(s,1)·(y-p)
//
// H forgets as errors add up, as AdaGrad's sums of the learner logistic do: fading by a count of examples forgets in
// bursts of one label, and is too slow where scores change their size. D is worth 0.3 examples with the mean and the
// mean square of the scores so far. A negative a is learned on and used as 0; cut off at 0 it would stay there. Scores
// that are as good as equal tell nothing of a, and teach c alone. A score beyond 1e100 teaches nothing.
//
// NewPlatt makes one.
type Platt struct {
	A      float64    `json:"a"`
	C      float64    `json:"c"`
	H      [3]float64 `json:"h"`      // of a and a, of a and c, of c and c
	Labels int64      `json:"labels"` // learned
	Mean   float64    `json:"mean"`   // of their scores
	Square float64    `json:"square"` // the mean of the scores' squares
}

// NewPlatt takes scores for log-odds, as long as it has learned nothing.
func NewPlatt() Platt { return Platt{A: 1} }

// Odds returns how it maps scores now.
func (p *Platt) Odds() Odds { return Odds{max(p.A, 0), p.C} }

// Learn learns a score and its label.
func (p *Platt) Learn(s float64, positive bool) { p.LearnFrom(s, Sigmoid(p.Odds().Of(s)), positive) }

// LearnFrom is Learn for a score whose probability is known as it is now.
func (p *Platt) LearnFrom(s, given float64, positive bool) {
	if !(math.Abs(s) <= mostSize) {
		return
	}
	off := -given // y - p
	if positive {
		off = 1 - given
	}
	p.Labels++
	p.Mean += (s - p.Mean) / float64(p.Labels)
	p.Square += (float64(s*s) - p.Square) / float64(p.Labels)
	//mutation:calibration-fades-by-errors
	keep, w := 1-math.Abs(off)/window, float64(given*(1-given))
	h := &p.H
	h[0] = float64(keep*h[0]) + float64(float64(w*s)*s)
	h[1] = float64(keep*h[1]) + float64(w*s)
	h[2] = float64(keep*h[2]) + w
	//mutation:calibration-bounded
	p.step(p.bounded(s, off))
}

// direction solves for the step that an error of y - p asks for.
func (p *Platt) direction(s, off float64) (da, dc float64) {
	aa := p.H[0] + float64(damping*p.Square)
	ac := p.H[1] + float64(damping*p.Mean)
	cc := p.H[2] + damping
	det := float64(aa*cc) - float64(ac*ac)
	if !(det > float64(alike*float64(aa*cc))) {
		return 0, off / cc
	}
	return float64((float64(cc*s) - ac) / det * off), float64((aa - float64(ac*s)) / det * off)
}

// bounded shortens the step that would move the log-odds of its own example too far.
func (p *Platt) bounded(s, off float64) (da, dc float64) {
	da, dc = p.direction(s, off)
	if move := math.Abs(float64(da*s) + dc); move > mostMove {
		da, dc = da*(mostMove/move), dc*(mostMove/move)
	}
	return da, dc
}

// step moves a and c. While few labels are known a is bounded: scores that lie close together by chance would make it
// steep. Nor is it negative then: a label or two would make it so, and where the scores get larger since, it would take
// thousands to come back. Then c follows, so that the log-odds of the mean score stay: of scores around -5 they would
// be far off. They are bounded, too: of scores around 1000 a = 1 is a long way off.
func (p *Platt) step(da, dc float64) {
	a, c := p.A+da, p.C+dc
	if p.Labels <= guarded {
		a, c = p.guard(a, c)
	}
	if finite(a) && finite(c) {
		p.A, p.C = a, c
	}
}

func (p *Platt) guard(a, c float64) (float64, float64) {
	//mutation:calibration-not-negative
	bounded := max(a, 0)
	//mutation:calibration-guard
	if deviation := math.Sqrt(max(p.Square-float64(p.Mean*p.Mean), 0)); deviation > 0 {
		bounded = min(bounded, guard/deviation)
	}
	middle := float64(a*p.Mean) + c
	if bounded == a && math.Abs(middle) <= mostMiddle {
		return a, c
	}
	return bounded, min(max(middle, -mostMiddle), mostMiddle) - float64(bounded*p.Mean)
}

// Valid reports whether it can be the state of a Platt.
func (p *Platt) Valid() bool {
	for _, x := range []float64{p.A, p.C, p.H[0], p.H[1], p.H[2], p.Mean, p.Square} {
		if !finite(x) {
			return false
		}
	}
	return p.H[0] >= 0 && p.H[2] >= 0 && p.Square >= 0 && p.Labels >= 0
}

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }
