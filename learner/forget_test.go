package learner

import (
	"reflect"
	"testing"
)

// weighted learns an example with a weight, names and all. With the weight 0 a model learns scaling, prints and names.
func weighted(t testing.TB, m *Model, e example, weight float64) {
	t.Helper()
	_, err := m.Predict(e.x)
	if err == nil {
		_, err = m.Prepare(e.label, weight)
	}
	if err != nil {
		t.Fatal(err)
	}
	if m.Learn() {
		for _, f := range e.x {
			m.SetName(f.Slot, f.Print, nameOf(f.Print))
		}
	}
}

// TestForgetWeights: a model that forgets its weights is one that has met the same examples without learning, whatever
// weights it began with. A copy that is under way is the model before.
func TestForgetWeights(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		m, want := fresh(), fresh()
		if spec := m.spec; spec.Learner != Dual {
			spec.StartWeights, spec.StartSeed = StartRandom, 7
			started, err := New(spec)
			if err != nil {
				t.Fatal(err)
			}
			m = started
		}
		examples := stream(1, 400, 8, 6)
		for _, e := range examples[:250] {
			weighted(t, m, e, 1)
			weighted(t, want, e, 0)
		}
		var to Model
		replica, before := m.NewReplica(&to), snap(m)
		replica.Begin()
		replica.Step(1)
		m.ForgetWeights()
		for !replica.Step(100) {
		}
		if !reflect.DeepEqual(snap(&to), before) {
			t.Error("the copy is not the model before")
		}
		if !reflect.DeepEqual(snap(m), snap(want)) {
			t.Fatal("it is not as of no example")
		}
		for replica.Begin(); !replica.Step(100); {
		}
		if !reflect.DeepEqual(snap(&to), snap(m)) {
			t.Error("the copy after it is not the model")
		}
		for i, e := range examples[250:] {
			if a, b := step(t, m, e), step(t, want, e); a != b {
				t.Fatalf("example %d: scores differ", i)
			}
		}
		if !reflect.DeepEqual(snap(m), snap(want)) {
			t.Error("they do not learn alike")
		}
	})
}

// TestForgetWeightsOfClasses is TestForgetWeights of several classes, which stay known.
func TestForgetWeightsOfClasses(t *testing.T) {
	everyMulti(t, func(t *testing.T, fresh func() *Multi) {
		m, want := fresh(), fresh()
		learn := func(m *Multi, e multiExample, weight float64) {
			t.Helper()
			_, _, err := m.Predict(e.x)
			if err == nil {
				_, err = m.Prepare(e.label, weight)
			}
			if err != nil {
				t.Fatal(err)
			}
			m.Learn()
		}
		examples := classStream(1, 300)
		for i, e := range examples {
			if i == 200 {
				m.ForgetWeights()
				same(t, snapMulti(m), snapMulti(want))
			}
			learn(m, e, 1)
			learn(want, e, min(1, float64(i/200)))
		}
		same(t, snapMulti(m), snapMulti(want))
	})
}

// TestForgottenWeightsHaveChanged: all slots are written to, so the next checkpoint has them all.
func TestForgottenWeightsHaveChanged(t *testing.T) {
	m := newModel(t, "arow", ScaleStandard, 12)
	for _, e := range stream(1, 50, 4, 6) {
		step(t, m, e)
	}
	m.ClearChanged()
	m.ForgetWeights()
	for _, c := range m.Columns() {
		n := 0
		for from, to := range c.Changed {
			n += to - from
		}
		if weights := c.Name == columnWeights || c.Name == columnVariances; weights != (n >= 1<<12) {
			t.Errorf("%s: %d elements have changed", c.Name, n)
		}
	}
}

// BenchmarkForgetWeights is the pause of a reset with 2^22 slots while a copy is under way.
func BenchmarkForgetWeights(b *testing.B) {
	for _, name := range []string{"perceptron", "arow", "averaged:window=1000"} {
		b.Run(name, func(b *testing.B) {
			m := newModel(b, name, ScaleStandard, 22)
			var to Model
			replica := m.NewReplica(&to)
			for replica.Begin(); !replica.Step(1 << 20); {
			}
			for b.Loop() {
				b.StopTimer()
				m.group.touchAll()
				replica.Begin()
				b.StartTimer()
				m.ForgetWeights()
			}
		})
	}
}
