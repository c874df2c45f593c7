package learner

import "math"

// alma is the approximate large margin algorithm for the Euclidean norm (Gentile, Journal of Machine Learning Research
// 2, 2001, with p = 2). It learns from margins below one that shrinks as it learns, and keeps ‖(w, b)‖ at most 1:
// with k, the number of its updates with the next one,
//
//	when y·s <= (1-alpha)·B/√k:
//	(w, b) += C/√k·y·(x, 1), then (w, b) /= max(1, ‖(w, b)‖)
//
// The weights of example and label multiply C. As in River's ALMAClassifier, whose defaults are these, x is not
// normalized; River has no bias, updates below the margin only, and divides the weights of the example at hand only.
//
// Of (w, b) = (u, d)/scale the vector holds u and d, so that a division touches no slot: it makes scale the norm of
// (u, d), so scale is the largest norm of (u, d) so far, and at least 1.
type alma struct {
	additive // its factor is that of (w, b)
	margin   float64
	c        float64
}

const (
	// mostScale is where u is divided by scale, in time proportional to the slots. Without weights scale grows with a
	// small power of k, and never comes there.
	mostScale = 1e30
	// mostMove bounds what is added to an element of (u, d), and mostElement the element: sums of squares are finite.
	mostMove    = 1e120
	mostElement = 1e140
)

func newAlma(s Spec, _ int) method {
	return &alma{margin: float64((1 - s.Alpha) * s.B), c: s.C}
}

func (a *alma) predict(v *vector, x []Feature) (score, norm float64) {
	for i := range x {
		value := x[i].Value
		score += float64(a.effective(v, int(x[i].Slot)) * value)
		norm += float64(value * value)
	}
	return score + a.effective(v, len(v.weights)), norm
}

func (*alma) effective(v *vector, at int) float64 {
	if v.scale > 1 {
		return v.at(at) / v.scale
	}
	return v.at(at)
}

func (a *alma) prepare(v *vector, e *view) (updated bool, err error) {
	root := math.Sqrt(float64(v.time + 1))
	if float64(e.label*e.score) > a.margin/root {
		return false, nil
	}
	a.factor = e.label * float64(a.c*e.weight) / root
	move := a.factor * max(1, v.scale)
	if !canMove(v.bias, move) {
		return false, ErrOverflow
	}
	for i := range e.x {
		if !canMove(v.weights[e.x[i].Slot], move*e.x[i].Value) {
			return false, ErrOverflow
		}
	}
	return true, nil
}

// canMove reports whether delta can be added to an element of (u, d).
func canMove(element, delta float64) bool {
	return math.Abs(element) <= mostElement && math.Abs(delta) <= mostMove
}

func (a *alma) learn(v *vector, x []Feature, updated bool) {
	if !updated {
		return
	}
	if v.time == 0 {
		v.norm = v.square() // of the start weights
	}
	scale := max(1, v.scale)
	factor := float64(a.factor * scale)
	for i := range x {
		v.move(&v.weights[x[i].Slot], float64(factor*x[i].Value))
	}
	v.move(&v.bias, float64(factor*v.one))
	v.norm = max(0, v.norm)
	//mutation:alma-norm
	v.scale = max(scale, math.Sqrt(v.norm))
	v.time++
}

// move adds delta to a weight, and what that adds to the norm.
func (v *vector) move(w *float64, delta float64) {
	was := *w
	*w += delta
	v.norm += float64(*w**w) - float64(was*was)
}

// square is ‖(w, b)‖².
func (v *vector) square() (sum float64) {
	for _, w := range v.weights {
		sum += float64(w * w)
	}
	return sum + float64(v.bias*v.bias)
}

// rescale divides u by scale if that is large; all slots are about to change.
func (*alma) rescale(v *vector) {
	for i := range v.weights {
		v.weights[i] /= v.scale
	}
	v.bias /= v.scale
	v.norm, v.scale = v.square(), 1
}

// check refuses elements that no stream leads to.
func (*alma) check(v *vector) error {
	for slot, u := range v.weights {
		if !(math.Abs(u) <= mostElement) {
			return slotError(columnWeights, slot, u)
		}
	}
	return nil
}
