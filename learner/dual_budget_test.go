package learner

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// drifting is n points of a square, inside or outside a circle whose centre moves from the left to the right.
func drifting(n int) []example {
	r := rand.New(rand.NewPCG(31, 1))
	examples := make([]example, n)
	for i := range examples {
		x, y := 4*r.Float64()-2, 4*r.Float64()-2
		centre := 2*float64(i)/float64(n) - 1
		examples[i] = example{label: Sign(1.2 - (x-centre)*(x-centre) - y*y),
			x: []Feature{{Slot: 1, Print: 1, Value: x}, {Slot: 2, Print: 2, Value: y}}}
	}
	return examples
}

// TestBudgetUnderDrift has positives that weigh twice, then weights that fall from 20 to 1. A dual on a budget follows
// the circle. If weights protected the examples, heavy ones would stay for ever, and less than 750 would be right.
func TestBudgetUnderDrift(t *testing.T) {
	const n = 6000
	for _, row := range []struct {
		learner string
		weight  func(i int) float64
	}{
		{"dual:kernel=rbf,gamma=1,budget=60,positive-weight=2", func(int) float64 { return 1 }},
		{"dual:kernel=rbf,gamma=1,budget=60", func(i int) float64 { return max(1, 20-float64(i/50)) }},
	} {
		m, right := ofEight(t, row.learner), 0
		for i, e := range drifting(n) {
			score, err := m.Predict(e.x)
			if err != nil {
				t.Fatal(err)
			}
			if i >= n-1000 && Sign(score) == e.label {
				right++
			}
			if _, err := m.Prepare(e.label, row.weight(i)); err != nil {
				t.Fatal(err)
			}
			m.Learn()
		}
		if right < 850 {
			t.Errorf("%s: %d of the last 1000 are right", row.learner, right)
		}
	}
}

// naiveDual is a kernel perceptron on a budget, as a list of points.
type naiveDual struct {
	points []naivePoint
	bias   float64
}

type naivePoint struct {
	x      [2]float64
	alpha  float64 // y times the weights learned
	times  int
	number int // of the example that it was first
}

func (d *naiveDual) score(x [2]float64) float64 {
	s := d.bias
	for _, p := range d.points {
		s += p.alpha * math.Exp(-((p.x[0]-x[0])*(p.x[0]-x[0]) + (p.x[1]-x[1])*(p.x[1]-x[1])))
	}
	return s
}

func (d *naiveDual) learn(number int, x [2]float64, alpha float64, budget int) {
	d.bias += alpha
	for i := range d.points {
		if p := &d.points[i]; p.x == x && p.alpha*alpha > 0 {
			p.alpha += alpha
			p.times++
			return
		}
	}
	if len(d.points) == budget {
		worst := slices.MinFunc(d.points, func(a, b naivePoint) int {
			if a.times != b.times {
				return a.times - b.times
			}
			return a.number - b.number
		})
		d.bias -= worst.alpha
		d.points = slices.DeleteFunc(d.points, func(p naivePoint) bool { return p.number == worst.number })
	}
	d.points = append(d.points, naivePoint{x, alpha, 1, number})
}

// TestBudgetAgainstLists compares with a naive program on weighted examples of which many come again.
func TestBudgetAgainstLists(t *testing.T) {
	const budget = 12
	r := rand.New(rand.NewPCG(32, 1))
	m, naive := ofEight(t, "dual:kernel=rbf,gamma=1,budget=12,positive-weight=3"), naiveDual{}
	learned := 0
	for i := range 3000 {
		x := [2]float64{float64(r.IntN(9)) / 4, float64(r.IntN(5)) / 4}
		label, weight := Sign(x[0]-x[1]-0.3), []float64{1, 0.5, 7}[r.IntN(3)]
		if r.IntN(4) == 0 {
			label = -label
		}
		e := []Feature{{Slot: 1, Print: 1, Value: x[0]}, {Slot: 2, Print: 2, Value: x[1]}}
		score, err := m.Predict(e)
		want := naive.score(x)
		if err != nil || math.Abs(score-want) > 1e-9*(1+math.Abs(want)) {
			t.Fatalf("example %d: score %v, %v, want %v", i, score, err, want)
		}
		updated, err := m.Prepare(label, weight)
		if err != nil {
			t.Fatal(err)
		}
		m.Learn()
		if !updated {
			continue
		}
		learned++
		if label > 0 {
			weight *= 3
		}
		naive.learn(i, x, float64(label)*weight, budget)
	}
	if len(naive.points) != budget || learned < 500 {
		t.Errorf("%d points of %d learned: the test shows little", len(naive.points), learned)
	}
}

// TestMistakesSurviveASave: a model goes on exactly, in the middle of a drift.
func TestMistakesSurviveASave(t *testing.T) {
	m := ofEight(t, "dual:kernel=rbf,gamma=1,budget=20,positive-weight=2")
	examples := drifting(600)
	for i := range examples {
		for _, f := range examples[i].x { // few places, so that some come again
			f.Value = math.Round(2*f.Value) / 2
			examples[i].x[f.Slot-1] = f
		}
	}
	for _, e := range examples[:300] {
		step(t, m, e)
	}
	loaded := saveAndLoad(t, m)
	for i, e := range examples[300:] {
		if step(t, m, e) != step(t, loaded, e) {
			t.Fatalf("another score, %d examples on", i)
		}
	}
	if !reflect.DeepEqual(snap(m), snap(loaded)) {
		t.Error("the models ended differently")
	}
}

// TestHostileMistakes: counts fit the kept examples.
func TestHostileMistakes(t *testing.T) {
	m := ofEight(t, "dual:budget=5")
	for _, e := range stream(22, 40, 8, 3) {
		step(t, m, e)
	}
	kept, times := m.method.(*dual).save(), m.method.(*dual).saveTimes()
	for what, text := range map[string][]byte{
		"none": nil, "too few": times[:timesSize], "cut": times[:len(times)-1], "zero": make([]byte, len(times)),
		"too many": append(slices.Clone(times), times...), "huge": slices.Repeat([]byte{255}, len(times)),
	} {
		if err := ofEight(t, "dual:budget=5").Restore(m.State(), m.names.text, kept, text); err == nil {
			t.Errorf("%s: accepted", what)
		}
	}
}
