package learner

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"testing"
)

// everyLearner is each learner of the table with its defaults, and others in which parameters matter.
var everyLearner = func() (texts []string) {
	for _, info := range Learners() {
		texts = append(texts, info.Name)
	}
	return append(texts,
		"perceptron:rate=0.3,threshold=1", "perceptron:update=mistake", "perceptron:rate=0.7,decay=0.01",
		"perceptron:l1=0.001", "perceptron:rate=0.5,decay=0.1,l1=0.01,l2=0.02",
		"perceptron:positive-weight=2,negative-weight=0.3",
		"averaged:rate=0.3,threshold=1", "averaged:window=20", "averaged:window=3", "averaged:update=mistake,decay=0.9",
		"pa1:C=0.01", "pa2:C=0.1", "arow:r=0.1,floor=0.01",
		"logistic:rate=1,decay=0.01", "logistic:rate=0.5,l1=0.01,l2=0.001", "logistic:window=5,l1=0.01",
		"logistic:schedule=constant,rate=0.2", "logistic:schedule=constant,rate=0.1,decay=0.01,l2=0.001",
		"dual:kernel=poly,budget=20", "dual:kernel=rbf,gamma=0.01,budget=5,rate=0.3",
		"dual:kernel=rbf,gamma=0.01,budget=8,update=pa1,C=0.3", "dual:predict=mean,budget=7",
		"alma:alpha=0.5,B=2,C=0.3")
}()

// everyModel runs a test on every kind of model there is.
func everyModel(t *testing.T, test func(t *testing.T, fresh func() *Model)) {
	for _, scale := range []string{ScaleNone, ScaleStandard, ScaleMaxAbs} {
		for _, learner := range everyLearner {
			t.Run(scale+"/"+learner, func(t *testing.T) {
				test(t, func() *Model { return newModel(t, learner, scale, 6) })
			})
		}
	}
}

func TestPredictingChangesNothing(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		m := fresh()
		for _, e := range stream(1, 300, 8, 6) {
			before := snap(m)
			first, err := m.Predict(e.x)
			if err != nil {
				t.Fatal(err)
			}
			m.Explain(e.x)
			m.Top(3)
			if _, err := m.Prepare(-e.label, 1); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Prepare(e.label, 2); err != nil {
				t.Fatal(err)
			}
			again, err := m.Predict(e.x)
			if err != nil || again != first {
				t.Fatalf("predicted %v, then %v, %v", first, again, err)
			}
			if m.Learn() {
				t.Fatal("Learn went on without Prepare")
			}
			if after := snap(m); !reflect.DeepEqual(before, after) {
				t.Fatal("predicting changed the model")
			}
			step(t, m, e)
		}
	})
}

func TestLearningChangesTheModel(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		m := fresh()
		for i, e := range stream(2, 50, 8, 6) {
			before := snap(m)
			if _, err := m.Predict(e.x); err != nil {
				t.Fatal(err)
			}
			updated, err := m.Prepare(e.label, 1)
			if err != nil {
				t.Fatal(err)
			}
			m.Learn()
			after := snap(m)
			moved := !reflect.DeepEqual(before.columns[columnWeights], after.columns[columnWeights]) ||
				!bytes.Equal(before.kept, after.kept)
			if moved != updated {
				t.Fatalf("example %d: updated %v, weights moved %v", i, updated, moved)
			}
		}
	})
}

func TestFeaturesComeAndGo(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		m := fresh()
		for i, e := range stream(3, 200, 8, 6) {
			e.x = e.x[:i%9]
			step(t, m, e)
		}
	})
}

// TestNoFeatures: an example without a feature is x = 0. The bias learns from it, and without a bias it moves nothing.
func TestNoFeatures(t *testing.T) {
	for _, bias := range []string{BiasOn, BiasOff} {
		everyModel(t, func(t *testing.T, fresh func() *Model) {
			m := fresh()
			spec := m.Spec()
			spec.Bias = bias
			if spec.Validate() != nil {
				return // a kernel has none
			}
			m, err := New(spec)
			if err != nil {
				t.Fatal(err)
			}
			for range 50 {
				step(t, m, example{nil, -1})
			}
			score, err := m.Predict(nil)
			wrong := !(score < 0)
			if bias == BiasOff { // a kernel has a constant of its own
				wrong = m.Bias() != 0 || score != 0 && (spec.Kernel == "" || spec.Kernel == KernelLinear)
			}
			if err != nil || wrong {
				t.Errorf("score %v, bias %v, %v", score, m.Bias(), err)
			}
			for i, e := range stream(3, 200, 8, 6) {
				e.x = e.x[:i%3]
				step(t, m, e)
			}
			if score, err = m.Predict(nil); err != nil || !finite(score) {
				t.Errorf("score %v, %v", score, err)
			}
		})
	}
}

func TestWeightZeroLearnsStatisticsOnly(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		m := fresh()
		e := stream(4, 1, 8, 6)[0]
		if _, err := m.Predict(e.x); err != nil {
			t.Fatal(err)
		}
		if updated, err := m.Prepare(-1, 0); updated || err != nil {
			t.Fatal(updated, err)
		}
		if !m.Learn() {
			t.Error("new slots want their names")
		}
		if len(m.Top(1)) != 0 || m.Bias() != 0 {
			t.Error("a weight of 0 moved a weight")
		}
		if m.met == 0 {
			t.Error("the slots were not met")
		}
	})
}

func TestStateSurvivesASave(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		m := fresh()
		examples := stream(5, 400, 8, 6)
		for _, e := range examples[:200] {
			step(t, m, e)
		}
		loaded := saveAndLoad(t, m)
		text, err := json.Marshal(m.State())
		if err != nil {
			t.Fatal(err)
		}
		var state State
		if err := json.Unmarshal(text, &state); err != nil || state != m.State() {
			t.Fatalf("state %+v became %+v, %v", m.State(), state, err)
		}
		if !reflect.DeepEqual(snap(m), snap(loaded)) || !reflect.DeepEqual(m.Top(100), loaded.Top(100)) {
			t.Fatal("the model loaded is not the one saved")
		}
		for i, e := range examples[200:] {
			if step(t, m, e) != step(t, loaded, e) {
				t.Fatalf("the model loaded went its own way %d examples on", i)
			}
		}
		if !reflect.DeepEqual(snap(m), snap(loaded)) {
			t.Fatal("the models ended differently")
		}
	})
}

func TestCopiesAreApart(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		m, dst := fresh(), new(Model)
		examples := stream(6, 300, 8, 6)
		for i, e := range examples[:200] {
			step(t, m, e)
			if i%50 != 49 {
				continue
			}
			if i > 50 {
				if _, err := dst.Predict(e.x); err != nil {
					t.Fatal(err)
				}
			}
			m.CopyTo(dst)
			if _, err := dst.Prepare(1, 1); err == nil {
				t.Fatal("an example of the old model was prepared for the new")
			}
			before := snap(dst)
			if !reflect.DeepEqual(before, snap(m)) {
				t.Fatal("the copy differs")
			}
			again := new(Model)
			m.CopyTo(again)
			for _, e := range examples[200:] {
				step(t, again, e)
			}
			step(t, m, examples[i+100])
			if !reflect.DeepEqual(before, snap(dst)) {
				t.Fatal("the copy changed with the model")
			}
		}
	})
}

func TestSameInputSameBits(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		a, b := fresh(), fresh()
		for i, e := range stream(7, 300, 8, 6) {
			if i%3 == 0 {
				if _, err := b.Predict(stream(uint64(i), 1, 8, 6)[0].x); err != nil {
					t.Fatal(err)
				}
			}
			if step(t, a, e) != step(t, b, e) {
				t.Fatalf("example %d: other bits", i)
			}
		}
		if !reflect.DeepEqual(snap(a), snap(b)) {
			t.Fatal("other bits in the end")
		}
	})
}

func TestNonFiniteIsRefused(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		m := fresh()
		for _, e := range stream(8, 100, 8, 6) {
			step(t, m, e)
		}
		before := snap(m)
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64} {
			x := []Feature{{Slot: 3, Print: 1, Value: 1}, {Slot: 4, Print: 2, Value: v}}
			if _, err := m.Predict(x); !errors.Is(err, ErrOverflow) {
				t.Errorf("%v: %v", v, err)
			}
			if _, err := m.Prepare(1, 1); err == nil {
				t.Errorf("%v: Prepare went on", v)
			}
			m.Learn()
		}
		if !reflect.DeepEqual(before, snap(m)) {
			t.Error("a refused example changed the model")
		}
	})
}

// TestOddNumbers feeds what is in range and far from usual: nothing may ever stop being finite.
func TestOddNumbers(t *testing.T) {
	odd := []float64{1e29, -1e29, 1e30, -1e30, 5e-324, -5e-324, 1e-310, math.Copysign(0, -1), 0, 1e-160, 1, 1 + 0x1p-52,
		1e-30}
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		m := fresh()
		for i := range 20_000 {
			x := []Feature{{Slot: 1, Print: 1, Value: odd[i%len(odd)]}, {Slot: 2, Print: 2, Value: odd[i*i%7]},
				{Slot: 1, Print: 1, Value: odd[i/7%len(odd)]}}
			score, err := m.Predict(x)
			if err == nil {
				_, err = m.Prepare(int8(1-i*i/3%2*2), []float64{1, MaxValue}[i%2])
			}
			if errors.Is(err, ErrOverflow) {
				continue
			}
			if err != nil || !finite(score) {
				t.Fatalf("example %d: score %v, %v", i, score, err)
			}
			m.Learn()
		}
		saveAndLoad(t, m)
	})
}

// TestTop: the n largest weights are the first n of all, in the order of magnitude and then of slots.
func TestTop(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		m := fresh()
		for _, e := range stream(6, 300, 8, 6) {
			step(t, m, e)
		}
		all := m.Top(math.MaxInt)
		for i := 1; i < len(all); i++ {
			a, b := math.Abs(all[i-1].Weight), math.Abs(all[i].Weight)
			if a < b || a == b && all[i-1].Slot > all[i].Slot {
				t.Errorf("%+v before %+v", all[i-1], all[i])
			}
		}
		for n := 1; n <= len(all)+1; n++ {
			if got := m.Top(n); !reflect.DeepEqual(got, all[:min(n, len(all))]) {
				t.Errorf("top %d is %+v, want those of %+v", n, got, all)
			}
		}
	})
}
