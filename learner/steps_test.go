package learner

import (
	"math"
	"reflect"
	"testing"
)

// TestAStepTouchesItsSlotsOnly is what sparse cost means: whatever the table's size, nothing but the example's slots
// moves.
func TestAStepTouchesItsSlotsOnly(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		m := fresh()
		for _, e := range stream(10, 200, 4, 6) {
			touched := make(map[int]bool)
			for _, f := range e.x {
				touched[int(f.Slot)] = true
			}
			before := snap(m)
			step(t, m, e)
			for _, c := range m.Columns() {
				for i := range c.Float64 {
					width := max(1, len(c.Float64)/len(m.prints))
					slot := i / width
					if slot < len(m.prints) && !touched[slot] &&
						math.Float64bits(c.Float64[i]) != before.columns[c.Name][i] {
						t.Fatalf("column %s moved at slot %d, which is not in the example", c.Name, slot)
					}
				}
			}
		}
	})
}

// TestZeroMovesNothing: a feature of value 0 has no part in a step, and of a vector of zeros only the bias learns, as
// the feature of value 1 that it is: else AND could not be learned, whose first row is (0, 0).
func TestZeroMovesNothing(t *testing.T) {
	for _, learner := range everyLearner {
		m := newModel(t, learner, ScaleNone, 6)
		for _, e := range stream(11, 100, 8, 5) {
			step(t, m, e)
		}
		before := snap(m)
		x := []Feature{{Slot: 1, Print: 1}, {Slot: 2, Print: 1}, {Slot: 40, Print: 1},
			{Slot: 3, Print: 1, Kind: Indicator}}
		label := int8(-1)
		if m.Bias() < 0 {
			label = 1
		}
		score, err := m.Predict(x)
		if err != nil || m.spec.Kernel == "" && score != m.Bias() {
			t.Fatalf("%s: score %v, %v, want the bias %v", learner, score, err, m.Bias())
		}
		if _, err := m.Prepare(label, 1); err != nil {
			t.Fatal(err)
		}
		m.Learn()
		after := snap(m)
		for _, c := range m.Columns() {
			if bits := len(m.prints); len(c.Float64) >= bits &&
				!reflect.DeepEqual(before.columns[c.Name][:bits], after.columns[c.Name][:bits]) {
				t.Errorf("%s: a vector of zeros changed column %s", learner, c.Name)
			}
		}
	}
}

// TestWeightsScaleTheStep learns one example with weight 1 and 4, from the same state. The division by the norm follows
// the step of alma; pa1 of the dual bounds it by the loss. See passive_test.go for pa.
func TestWeightsScaleTheStep(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		trained := fresh()
		_, divides := trained.method.(*alma)
		_, isPassive := trained.method.(*passive)
		if d, ok := trained.method.(*dual); divides || isPassive || ok && d.c != 0 {
			return
		}
		moved := 0
		for _, e := range stream(12, 60, 8, 6) {
			once, often := new(Model), new(Model)
			trained.CopyTo(once)
			trained.CopyTo(often)
			learnWeighted(t, once, e, 1)
			learnWeighted(t, often, e, 4)
			if once.bias != trained.bias {
				moved++
			}
			if d, ok := trained.method.(*dual); ok && len(d.kept) >= d.budget {
				continue // the bias loses the part of another example
			}
			a, b := once.bias-trained.bias, often.bias-trained.bias
			if math.Abs(b-4*a) > 1e-9*(1+math.Abs(trained.bias)) {
				t.Fatalf("the bias moved by %v with weight 1 and by %v with weight 4", a, b)
			}
			for slot := range trained.weights { // settled alike, then moved
				a, b := once.weights[slot]-trained.weights[slot], often.weights[slot]-trained.weights[slot]
				if trained.clock == 0 && math.Abs(b-4*a) > 1e-9*(1+math.Abs(trained.weights[slot])) {
					t.Fatalf("slot %d moved by %v with weight 1 and by %v with weight 4", slot, a, b)
				}
			}
			learnWeighted(t, trained, e, 1)
		}
		if moved < 5 {
			t.Errorf("only %d steps", moved)
		}
	})
}

func learnWeighted(t *testing.T, m *Model, e example, weight float64) {
	t.Helper()
	if _, err := m.Predict(e.x); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Prepare(e.label, weight); err != nil {
		t.Fatal(err)
	}
	m.Learn()
}

// TestClassWeightsAreExampleWeights has classes of weight 3 and 0.5 give what examples of those weights give.
func TestClassWeightsAreExampleWeights(t *testing.T) {
	for _, learner := range []string{"perceptron:threshold=1", "averaged:rate=1", "pa1:C=1", "arow:r=1",
		"logistic:rate=0.5", "dual:budget=9"} {
		byClass := newModel(t, learner+",positive-weight=3,negative-weight=0.5", ScaleStandard, 6)
		byExample := newModel(t, learner, ScaleStandard, 6)
		for _, e := range stream(13, 300, 8, 6) {
			learnWeighted(t, byClass, e, 2)
			learnWeighted(t, byExample, e, map[int8]float64{1: 6, -1: 1}[e.label])
		}
		if !reflect.DeepEqual(snap(byClass), snap(byExample)) {
			t.Errorf("%s: class weights differ from example weights", learner)
		}
	}
}

// TestNoAllocations lets each learner see its examples once and then again.
func TestNoAllocations(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		m := fresh()
		examples := stream(14, 64, 8, 6)
		for _, e := range append(examples, examples...) {
			step(t, m, e)
		}
		if d, ok := m.method.(*dual); ok {
			d.budget = len(d.kept) // from here on each example replaces one
		}
		i := 0
		allocations := testing.AllocsPerRun(500, func() {
			learnWeighted(t, m, examples[i%len(examples)], 1)
			i++
		})
		if allocations != 0 {
			t.Errorf("%v allocations in a step", allocations)
		}
	})
}

func TestProbability(t *testing.T) {
	m := newModel(t, "logistic", ScaleNone, 6)
	if _, ok := m.Probability(); ok {
		t.Error("a probability of nothing")
	}
	for _, e := range stream(16, 200, 8, 6) {
		score := math.Float64frombits(step(t, m, e))
		p, ok := m.Probability()
		if want := 1 / (1 + math.Exp(-math.Abs(score))); !ok || p < 0.5 || p > 1 || math.Abs(p-want) > 1e-15 {
			t.Fatalf("score %v: probability %v, %v, want %v", score, p, ok, want)
		}
	}
	if _, err := m.Predict([]Feature{{Value: math.Inf(1)}}); err == nil {
		t.Fatal("infinity was taken")
	}
	if _, ok := m.Probability(); ok {
		t.Error("a probability of a refused example")
	}
	for _, learner := range []string{"perceptron", "averaged", "pa", "arow", "dual"} {
		m := newModel(t, learner, ScaleNone, 6)
		step(t, m, stream(16, 1, 8, 6)[0])
		if p, ok := m.Probability(); ok || p != 0 {
			t.Errorf("%s: probability %v", learner, p)
		}
	}
}

// TestWeightZeroTakesNoTime: an example of weight 0 is none, for means and falling rates too.
func TestWeightZeroTakesNoTime(t *testing.T) {
	for _, learner := range everyLearner {
		m := newModel(t, learner, ScaleNone, 6)
		for _, e := range stream(28, 10, 8, 6) {
			learnWeighted(t, m, e, 0)
		}
		if s := m.State(); s.Time != 0 || s.Clock != 0 {
			t.Errorf("%s: %+v", learner, s)
		}
	}
}

// TestCopyIntoAnything copies into a model of every other learner, which has learned more than the one copied.
func TestCopyIntoAnything(t *testing.T) {
	for _, from := range everyLearner {
		m := newModel(t, from, ScaleStandard, 6)
		for _, e := range stream(25, 20, 8, 6) {
			step(t, m, e)
		}
		for _, to := range everyLearner {
			dst := newModel(t, to, ScaleNone, 5)
			if from == to {
				dst = newModel(t, to, ScaleStandard, 6)
			}
			for _, e := range stream(26, 60, 8, 5) {
				step(t, dst, e)
			}
			m.CopyTo(dst)
			if !reflect.DeepEqual(snap(m), snap(dst)) || m.Spec() != dst.Spec() {
				t.Fatalf("%s copied into %s differs", from, to)
			}
			again := new(Model)
			m.CopyTo(again)
			for _, e := range stream(27, 5, 8, 6) {
				if step(t, again, e) != step(t, dst, e) {
					t.Fatalf("%s copied into %s goes its own way", from, to)
				}
			}
		}
	}
}
