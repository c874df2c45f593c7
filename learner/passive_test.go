package learner

import (
	"math"
	"math/rand/v2"
	"testing"
)

// ofEight makes a model of eight slots.
func ofEight(t testing.TB, text string) *Model {
	t.Helper()
	spec := Spec{Bits: 3}
	if err := ParseLearner(text, &spec); err != nil {
		t.Fatal(err)
	}
	m, err := New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// objective is what a step τ of pa1 or pa2 costs: half the squared distance, and the price of the loss that is left.
func objective(learner string, tau, loss, norm, price float64) float64 {
	left := max(0, loss-tau*norm)
	if learner == PA2 {
		left *= left
	}
	return tau*tau*norm/2 + price*left
}

// lowest finds the minimum of a convex function by ternary search.
func lowest(f func(float64) float64, from, to float64) float64 {
	for range 200 {
		a, b := from+(to-from)/3, to-(to-from)/3
		if f(a) < f(b) {
			to = b
		} else {
			from = a
		}
	}
	return (from + to) / 2
}

// TestWeightedStepIsOptimal minimizes the objective of pa1 and pa2 numerically, its price multiplied by the weight, and
// finds the step that the closed form gives: with one vector and, where x counts twice, with a vector a class.
func TestWeightedStepIsOptimal(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for i := range 400 {
		learner := []string{PA1, PA2}[i%2]
		c, weight := math.Exp(2*r.NormFloat64()), math.Exp(2*r.NormFloat64())
		loss, norm := 3*r.Float64(), 1+5*r.Float64()
		p := passive{kind: learner, c: c}
		want := lowest(func(tau float64) float64 { return objective(learner, tau, loss, norm, c*weight) }, 0, loss/norm)
		if got := p.step(loss, norm, weight); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: loss %v, norm %v, C %v, weight %v: %v, want %v", learner, loss, norm, c, weight, got, want)
		}
	}
}

// TestWeightedStepsByHand: hinge loss 1 over a squared norm of 5, with weights 3 and 0.25; direct has both twice.
func TestWeightedStepsByHand(t *testing.T) {
	for _, row := range []struct {
		learner       string
		weight        float64
		binary, multi float64 // the steps
	}{
		{"pa", 3, 1. / 5, 1. / 10},
		{"pa", 0.25, 1. / 20, 1. / 40},
		{"pa1:C=0.05", 3, 0.15, 1. / 10},
		{"pa1:C=0.05", 0.25, 0.0125, 0.0125},
		{"pa2:C=0.5", 2, 1 / 5.5, 1 / 10.5},
		{"pa2:C=0.5", 0.25, 1. / 9, 1. / 14},
	} {
		x := []Feature{{Slot: 1, Print: 1, Value: 2}}
		m := ofEight(t, row.learner)
		learnWeighted(t, m, example{x: x, label: 1}, row.weight)
		if !close(m.bias, row.binary) || !close(m.weights[1], 2*row.binary) {
			t.Errorf("%+v: bias %v, weight %v", row, m.bias, m.weights[1])
		}
		classes, err := NewMulti(MultiSpec{Spec: m.Spec()})
		if err != nil {
			t.Fatal(err)
		}
		for i, label := range []string{"a", "b"} {
			if _, _, err := classes.Predict(x); err != nil {
				t.Fatal(err)
			}
			if _, err := classes.Prepare([]byte(label), []float64{0, row.weight}[i]); err != nil {
				t.Fatal(err)
			}
			classes.Learn()
		}
		if a, b := classes.Bias(0), classes.Bias(1); !close(b, row.multi) || a != -b {
			t.Errorf("%+v: the classes' biases are %v and %v", row, a, b)
		}
	}
}

// TestHeavyWeightsUnderNoise: with weights of 5 and a fifth of the labels wrong, scores stay bounded. With steps that
// are multiplied by the weight they would grow without bound.
func TestHeavyWeightsUnderNoise(t *testing.T) {
	for _, learner := range []string{"pa", "pa1:C=1e30", "pa2:C=100"} {
		r := rand.New(rand.NewPCG(9, 9))
		m, largest := ofEight(t, learner), 0.0
		for range 2000 {
			v := 2*r.Float64() - 1
			e := example{x: []Feature{{Slot: 1, Print: 1, Value: v}}, label: Sign(v)}
			if r.IntN(5) == 0 {
				e.label = -e.label
			}
			score, err := m.Predict(e.x)
			if err != nil {
				t.Fatal(err)
			}
			largest = max(largest, math.Abs(score))
			if _, err := m.Prepare(e.label, 5); err != nil {
				t.Fatal(err)
			}
			m.Learn()
		}
		if largest > 1e6 {
			t.Errorf("%s: the largest score is %v", learner, largest)
		}
	}
}
