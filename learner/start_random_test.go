package learner

import (
	"math"
	"reflect"
	"testing"
)

func randomSpec(t testing.TB, text string, seed uint64) Spec {
	t.Helper()
	s := Spec{Bits: 6, Scale: ScaleStandard, StartWeights: StartRandom, StartSeed: seed}
	if err := ParseLearner(text, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestStartWeightBits fixes the numbers: a model must be made anew from its settings, by every version.
func TestStartWeightBits(t *testing.T) {
	for _, row := range []struct {
		seed            uint64
		separator, slot int
		want            float64
	}{{0, 0, 0, -0.5546875707202341}, {1, 0, 5, 0.06268567885964726}, {1, 2, 5, -0.085174062378373}} {
		if got := StartWeight(row.seed, row.separator, row.slot); got != row.want {
			t.Errorf("%+v: %v", row, got)
		}
	}
}

// TestStartWeightsAreRandom: uniform between -1 and 1, and others for another seed, slot or separator.
func TestStartWeightsAreRandom(t *testing.T) {
	seen, sum, squares := map[float64]bool{}, 0.0, 0.0
	const n = 20000
	for seed := range uint64(2) {
		for separator := range 2 {
			for slot := range n / 4 {
				w := StartWeight(seed, separator, slot)
				if w < -1 || w >= 1 || seen[w] {
					t.Fatalf("weight %v", w)
				}
				seen[w], sum, squares = true, sum+w, squares+w*w
			}
		}
	}
	if math.Abs(sum/n) > 0.02 || math.Abs(squares/n-1./3) > 0.01 {
		t.Errorf("mean %v, mean of squares %v: want 0 and 1/3", sum/n, squares/n)
	}
}

// TestModelsStartRandomly: the first score is that of the random weights, whatever the learner; a save, and a copy, go
// on exactly.
func TestModelsStartRandomly(t *testing.T) {
	for _, learner := range everyLearner {
		spec := randomSpec(t, learner, 9)
		if spec.Learner == Dual {
			if spec.Validate() == nil {
				t.Errorf("%s has start weights", learner)
			}
			continue
		}
		m, err := New(spec)
		if err != nil {
			t.Fatal(err)
		}
		x := []Feature{{Slot: 3, Print: 1, Value: 1, Kind: Indicator}, {Slot: 4, Print: 2, Value: 2, Kind: Indicator}}
		want := StartWeight(9, 0, 3) + 2*StartWeight(9, 0, 4) + StartWeight(9, 0, 64)
		if score, err := m.Predict(x); err != nil || math.Abs(score-want) > 1e-12 {
			t.Errorf("%s: score %v, %v, want %v", learner, score, err, want)
		}
		if top := m.Top(5); len(top) != 0 {
			t.Errorf("%s: weights of slots without a feature are shown: %v", learner, top)
		}
		examples := stream(81, 100, 5, 6)
		for _, e := range examples[:50] {
			step(t, m, e)
		}
		loaded, again := saveAndLoad(t, m), new(Model)
		m.CopyTo(again)
		for i, e := range examples[50:] {
			if want := step(t, m, e); step(t, loaded, e) != want || step(t, again, e) != want {
				t.Fatalf("%s: another score, %d examples on", learner, i)
			}
		}
	}
}

// TestClassesStartRandomly: each class, and each pair, has start weights of its own, also one that is discovered late.
// They do not depend on what was learned before.
func TestClassesStartRandomly(t *testing.T) {
	for _, row := range []struct{ learner, scheme string }{{"perceptron:l2=0.1", Direct}, {"averaged", Direct},
		{"averaged:decay=0.9", Direct}, {"averaged:window=6", Direct}, {"logistic", OVA}, {"perceptron", OVO}} {
		m, err := NewMulti(MultiSpec{Spec: randomSpec(t, row.learner, 5), Scheme: row.scheme})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range classStream(82, 60) {
			if len(e.label) == 1 && e.label[0] < 'c' {
				multiStep(t, m, nil, e)
			}
		}
		n := len(m.separators)
		if _, _, err := m.Predict(one(1, 0)); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Prepare([]byte("new"), 0); err != nil {
			t.Fatal(err)
		}
		m.Learn()
		for i := n; i < len(m.separators); i++ {
			for slot := range 65 {
				u := &m.separators[i]
				if got, want := u.effective(&u.vector, slot), StartWeight(5, i, slot); math.Abs(got-want) > 1e-12 {
					t.Fatalf("%v: separator %d starts with %v at slot %d, want %v", row, i, got, slot, want)
				}
			}
		}
		loaded := reload(t, m)
		if !reflect.DeepEqual(snapMulti(m), snapMulti(loaded)) {
			t.Errorf("%v: the model that was read differs", row)
		}
	}
}

func TestStartOutOfRange(t *testing.T) {
	for _, s := range []Spec{{StartWeights: "ones"}, {StartSeed: 1}, {Learner: Dual, StartWeights: StartRandom}} {
		if s.Validate() == nil {
			t.Errorf("%+v is valid", s)
		}
	}
}
