package learner

import (
	"fmt"
	"math"
	"testing"
)

// eager is what lazy learners are compared with: it updates all slots at every example. Weights and means are
// over the slots and, at the end, the bias.
type eager struct {
	history [][]float64 // the weights after each example; first those at the start
	fading  []float64
}

// follow takes the raw weights of m after an example.
func (g *eager) follow(m *Model, fade float64) {
	now := append(append([]float64(nil), m.weights...), m.bias)
	if g.fading == nil {
		g.fading = append([]float64(nil), g.history[0]...)
	}
	for i := range now {
		g.fading[i] = fade*g.fading[i] + (1-fade)*now[i]
	}
	g.history = append(g.history, now)
}

// last is the mean of the newest n weights of a slot.
func (g *eager) last(n, at int) float64 {
	sum := 0.0
	for _, w := range g.history[len(g.history)-n:] {
		sum += w[at]
	}
	return sum / float64(n)
}

// TestMeansAreExact compares each mean with one that is taken over all weights there were.
func TestMeansAreExact(t *testing.T) {
	const window, fade = 14, 0.97
	for learner, want := range map[string]func(g *eager, at, examples int) float64{
		"averaged": func(g *eager, at, examples int) float64 { return g.last(examples, at) },
		fmt.Sprint("averaged:window=", window): func(g *eager, at, examples int) float64 {
			if examples < window/2 {
				return g.last(examples, at)
			}
			return g.last(window/2+examples%(window/2), at)
		},
		fmt.Sprint("averaged:rate=0.5,threshold=0.1,decay=", fade): func(g *eager, at,
			_ int) float64 {
			return g.fading[at]
		},
	} {
		m := newModel(t, learner, ScaleNone, 6)
		if err := m.SetWeight(7, 1, []byte("start"), 3); err != nil {
			t.Fatal(err)
		}
		if err := m.SetBias(-2); err != nil {
			t.Fatal(err)
		}
		g := &eager{history: [][]float64{append(append([]float64(nil), m.weights...), m.bias)}}
		if m.effective(&m.vector, 7) != 3 || m.Bias() != -2 {
			t.Errorf("%s: the mean starts at %v and %v", learner, m.effective(&m.vector, 7), m.Bias())
		}
		for i, e := range stream(18, 400, 2, 6) {
			step(t, m, e)
			g.follow(m, fade)
			for at := range len(m.weights) + 1 {
				if got, want := m.effective(&m.vector, at),
					want(g, at, i+1); math.Abs(got-want) > 1e-11*(1+math.Abs(want)) {
					t.Fatalf("%s: example %d, slot %d: mean %v, want %v", learner, i, at, got, want)
				}
			}
		}
	}
}

// TestMeanAfterSetWeight gives a slot a weight within the stream: the next prediction uses it.
func TestMeanAfterSetWeight(t *testing.T) {
	for _, learner := range []string{"averaged", "averaged:window=30", "averaged:decay=0.9", "perceptron:l1=0.01",
		"logistic:l2=0.1"} {
		m := newModel(t, learner, ScaleNone, 6)
		for i, e := range stream(19, 100, 8, 6) {
			step(t, m, e)
			if i%23 == 0 {
				if err := m.SetWeight(63, 1, nil, float64(i)); err != nil {
					t.Fatal(err)
				}
				if err := m.SetBias(float64(-i)); err != nil {
					t.Fatal(err)
				}
				if got := m.effective(&m.vector, 63); math.Abs(got-float64(i)) > 1e-12*float64(i) ||
					math.Abs(m.Bias()+float64(i)) > 1e-12*float64(i) {
					t.Fatalf("%s: set to %d, answers with %v and %v", learner, i, got, m.Bias())
				}
			}
		}
	}
}

// TestPullIsExact follows a perceptron and a logistic regression whose weights are all drawn after every example.
func TestPullIsExact(t *testing.T) {
	for _, parameters := range []string{"l1=0.01", "l2=0.003", "l1=0.02,l2=0.05",
		"rate=0.5,decay=0.02,l1=0.003,l2=1e-9"} {
		for _, learner := range []string{"perceptron:", "logistic:"} {
			m, all := newModel(t, learner+parameters, ScaleNone, 6), newModel(t, learner+parameters, ScaleNone, 6)
			zeros := 0
			for i, e := range stream(20, 500, 3, 6) {
				a, b := math.Float64frombits(step(t, m, e)), math.Float64frombits(step(t, all, e))
				if math.Abs(a-b) > 1e-9*(1+math.Abs(b)) {
					t.Fatalf("%s%s: example %d: score %v, want %v", learner, parameters, i, a, b)
				}
				for slot := range all.weights {
					all.weights[slot] = all.effective(&all.vector, slot)
					all.start(&all.vector, slot)
					got, want := m.effective(&m.vector, slot), all.weights[slot]
					if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
						t.Fatalf("%s%s: example %d, slot %d: weight %v, want %v", learner, parameters, i, slot, got,
							want)
					}
					if want == 0 && m.weights[slot] != 0 {
						zeros++
					}
				}
			}
			if l1 := parameters[:2] == "l1" && learner == "perceptron:"; l1 && zeros == 0 {
				t.Errorf("%s%s: no weight was drawn to 0", learner, parameters)
			}
		}
	}
}

// TestStartWeightDoesNotShrink: the speed of AdaGrad's l1 is divided by the root of a slot's squared gradients, and
// there are none before its first.
func TestStartWeightDoesNotShrink(t *testing.T) {
	m := newModel(t, "logistic:l1=0.5,l2=0.5", ScaleNone, 2)
	if err := m.SetWeight(3, 1, []byte("a"), 2); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		step(t, m, example{x: []Feature{{Slot: 1, Print: 1, Value: 1}}, label: 1})
		if top := m.Top(1); len(top) != 1 || top[0].Slot != 3 || top[0].Weight != 2 {
			t.Fatalf("the start weight became %v", top)
		}
	}
}

// TestPullBeginsAnew: a clock without stamps is from a pull that was taken off. It must not count for the next one.
func TestPullBeginsAnew(t *testing.T) {
	m := newModel(t, "perceptron", ScaleNone, 4)
	if err := m.Restore(State{Clock: 1e6}, nil); err != nil || m.State().Clock != 0 {
		t.Errorf("clock %v, %v", m.State().Clock, err)
	}
}

// TestDriftIsFollowed is why window, decay and floor are there: on a market that moves, the mean over everything gets
// 74.6 % right and arow, whose variances only fall, 76.2 %. The perceptron itself gets 91.1 %: there a mean can only
// come close to it.
func TestDriftIsFollowed(t *testing.T) {
	data := readSet(t, "elec2")
	for learner, least := range map[string]float64{"averaged:window=20": 0.85, "averaged:window=4": 0.88,
		"averaged:decay=0.9": 0.86, "arow:floor=0.1": 0.915} {
		score := run(t, newModel(t, learner, ScaleStandard, data.bits()), data.examples)
		t.Logf("%s: %.4f", learner, score.Report().Accuracy.Value())
		if score.Report().Accuracy.Value() < least {
			t.Errorf("%s: accuracy %.4f, want at least %v", learner, score.Report().Accuracy.Value(), least)
		}
	}
}
