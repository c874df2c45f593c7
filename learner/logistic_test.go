package learner

import (
	"math"
	"math/rand/v2"
	"testing"
)

// naiveLogistic is logistic regression on dense vectors, whose last value is the bias's 1.
type naiveLogistic struct {
	w, g        []float64
	rate, decay float64
	window      float64 // 0 is all
	l1, l2      float64
	constant    bool
	time        float64
}

func (n *naiveLogistic) learn(x []float64, label, weight float64) (score float64) {
	for i := range x {
		score += n.w[i] * x[i]
	}
	rate := n.rate / (1 + n.decay*n.time)
	n.time++
	error := 1 / (1 + math.Exp(label*score))
	for i := range x {
		g := -label * error * x[i]
		speed := rate
		if !n.constant {
			if g != 0 {
				if n.window != 0 {
					n.g[i] *= 1 - error/n.window
				}
				n.g[i] += g * g
			}
			if n.g[i] == 0 {
				continue
			}
			speed /= math.Sqrt(n.g[i])
		}
		n.w[i] -= speed * weight * g
		if i < len(x)-1 { // the bias does not shrink
			n.w[i] -= speed * n.l2 * n.w[i]
			n.w[i] = math.Copysign(max(0, math.Abs(n.w[i])-speed*n.l1), n.w[i])
		}
	}
	return score
}

// TestLogisticAgainstLists compares a constant rate and AdaGrad with a window with sums over dense vectors. l1 and l2
// shrink there after each step, here over continuous time.
func TestLogisticAgainstLists(t *testing.T) {
	for learner, naive := range map[string]naiveLogistic{
		"logistic:schedule=constant,rate=0.05":           {rate: 0.05, constant: true},
		"logistic:schedule=constant,rate=0.5,decay=0.01": {rate: 0.5, decay: 0.01, constant: true},
		"logistic:schedule=constant,rate=0.01,l1=0.01":   {rate: 0.01, l1: 0.01, constant: true},
		"logistic:schedule=constant,rate=0.001,l2=0.1":   {rate: 0.001, l2: 0.1, constant: true},
		"logistic":                              {rate: 0.5, window: 300},
		"logistic:rate=0.2,window=0":            {rate: 0.2},
		"logistic:rate=0.2,window=10":           {rate: 0.2, window: 10},
		"logistic:rate=0.2,window=2,decay=0.01": {rate: 0.2, window: 2, decay: 0.01},
	} {
		m := newModel(t, learner, ScaleNone, 6)
		naive.w, naive.g = make([]float64, 65), make([]float64, 65)
		slack := 1e-9
		if naive.l1+naive.l2 > 0 {
			slack = 1e-3
		}
		for i, e := range stream(51, 400, 5, 6) {
			dense, seen := make([]float64, 65), map[uint32]bool{}
			repeated := false
			for _, f := range e.x {
				dense[f.Slot] += f.Value
				repeated = repeated || seen[f.Slot]
				seen[f.Slot] = true
			}
			if repeated {
				continue // two gradients of one weight
			}
			dense[64] = 1
			weight := float64(1 + i%3)
			want := naive.learn(dense, float64(e.label), weight)
			score, err := m.Predict(e.x)
			if err != nil || math.Abs(score-want) > slack*(1+math.Abs(want)) {
				t.Fatalf("%s, example %d: score %v, %v, want %v", learner, i, score, err, want)
			}
			if _, err := m.Prepare(e.label, weight); err != nil {
				t.Fatal(err)
			}
			m.Learn()
		}
	}
}

// TestWindowFollows: when labels turn round after a long time, AdaGrad's rates have fallen too far to follow; with a
// window or a constant rate the learner does.
func TestWindowFollows(t *testing.T) {
	for learner, follows := range map[string]bool{"logistic:rate=0.1,window=0": false, "logistic": true,
		"logistic:rate=0.1,window=100": true, "logistic:schedule=constant,rate=0.05": true} {
		m, right := newModel(t, learner, ScaleNone, 6), 0
		examples := stream(52, 21000, 5, 6)
		for i, e := range examples {
			if i >= 20000 {
				e.label = -e.label
			}
			score := math.Float64frombits(step(t, m, e))
			if i >= 20500 && Sign(score) == e.label {
				right++
			}
		}
		t.Logf("%s: %d of the last 500 are right", learner, right)
		if (right > 300) != follows {
			t.Errorf("%s: %d of the last 500 are right", learner, right)
		}
	}
}

// TestConstantHasNoWindow: what does not go together is refused, and what does is read back.
func TestConstantHasNoWindow(t *testing.T) {
	var s Spec
	if err := ParseLearner("logistic:schedule=constant,window=10", &s); err == nil {
		t.Error("a constant rate with a window is accepted")
	}
	for _, text := range []string{"logistic:schedule=constant", "logistic:window=10", "logistic:window=10,decay=0.5"} {
		if err := ParseLearner(text, &s); err != nil || s.String() != text {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
}

// TestWindowAfterLongCalm: when labels turn round after many predictions that were all right, a window does not keep
// the learner from following. With sums that fade with every gradient it would: scores would have grown all the time.
func TestWindowAfterLongCalm(t *testing.T) {
	m, r, mistakes := newModel(t, "logistic", ScaleNone, 2), rand.New(rand.NewPCG(53, 1)), 0
	for i := range 63_000 {
		e := example{x: []Feature{{Slot: 1, Print: 1, Value: float64(1 - 2*r.IntN(2))}}, label: 1}
		if e.x[0].Value < 0 != (i >= 60_000) {
			e.label = -1
		}
		if score := math.Float64frombits(step(t, m, e)); i >= 60_000 && score*float64(e.label) < 0 {
			mistakes++
		}
	}
	if mistakes > 300 {
		t.Errorf("%d mistakes after labels turned round", mistakes)
	}
}
