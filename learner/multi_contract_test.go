package learner

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"rosenblatt/learner/metrics"
)

// everyMulti runs a test on every learner under every scheme that takes it, each way of scaling in turn.
func everyMulti(t *testing.T, test func(t *testing.T, fresh func() *Multi)) {
	scales := []string{ScaleNone, ScaleStandard, ScaleMaxAbs}
	for i, learner := range everyLearner {
		for j, scheme := range []string{Direct, OVA, OVO} {
			spec := MultiSpec{Spec: Spec{Scale: scales[(i+j)%3], Bits: 6}, Scheme: scheme}
			if err := ParseLearner(learner, &spec.Spec); err != nil {
				t.Fatal(err)
			}
			if spec.Validate() != nil {
				continue
			}
			t.Run(scheme+"/"+spec.Scale+"/"+learner, func(t *testing.T) {
				test(t, func() *Multi {
					m, err := NewMulti(spec)
					if err != nil {
						t.Fatal(err)
					}
					return m
				})
			})
		}
	}
}

// classStream is stream with four classes, discovered one after the other.
func classStream(seed uint64, n int) []multiExample {
	r := rand.New(rand.NewPCG(seed, 2))
	examples := make([]multiExample, n)
	for i, e := range stream(seed, n, 8, 6) {
		class := r.IntN(min(4, 1+i/10))
		e.x[0] = Feature{Slot: uint32(class), Print: uint16(class) + 9000, Kind: Indicator, Value: 2}
		examples[i] = multiExample{e.x, []byte{byte('a' + class)}}
	}
	return examples
}

// multiSnapshot is all of a model's state, bits for bits.
type multiSnapshot struct {
	state   MultiState
	columns map[string][]uint64
	bytes   map[string]string
}

func snapMulti(m *Multi) multiSnapshot {
	s := multiSnapshot{m.State(), make(map[string][]uint64), make(map[string]string)}
	for _, c := range m.Columns() {
		bits := []uint64{}
		for _, v := range c.Float64 {
			bits = append(bits, math.Float64bits(v))
		}
		for _, v := range c.Uint16 {
			bits = append(bits, uint64(v))
		}
		s.columns[c.Name], s.bytes[c.Name] = bits, string(c.Bytes)
	}
	return s
}

func same(t *testing.T, a, b multiSnapshot) {
	t.Helper()
	if !reflect.DeepEqual(a, b) {
		t.Fatal("the models differ")
	}
}

// reload makes a new model of m's state, by way of JSON.
func reload(t testing.TB, m *Multi) *Multi {
	t.Helper()
	text, err := json.Marshal(m.State())
	if err != nil {
		t.Fatal(err)
	}
	var state MultiState
	if err := json.Unmarshal(text, &state); err != nil {
		t.Fatal(err)
	}
	loaded, err := NewMulti(m.Spec())
	if err != nil {
		t.Fatal(err)
	}
	if err := loaded.Begin(state); err != nil {
		t.Fatal(err)
	}
	saved := m.Columns()
	var texts [][]byte
	for i, c := range loaded.Columns() {
		if c.Name != saved[i].Name || len(c.Float64) != len(saved[i].Float64) || len(c.Uint16) != len(saved[i].Uint16) {
			t.Fatalf("column %d is %q, saved as %q", i, c.Name, saved[i].Name)
		}
		copy(c.Float64, saved[i].Float64)
		copy(c.Uint16, saved[i].Uint16)
		if c.Float64 == nil && c.Uint16 == nil {
			texts = append(texts, saved[i].Bytes)
		}
	}
	if err := loaded.Restore(state, texts...); err != nil {
		t.Fatal(err)
	}
	return loaded
}

func TestMultiPredictingChangesNothing(t *testing.T) {
	everyMulti(t, func(t *testing.T, fresh func() *Multi) {
		m := fresh()
		for i, e := range classStream(1, 100) {
			before := snapMulti(m)
			class, score, err := m.Predict(e.x)
			if err != nil {
				t.Fatal(err)
			}
			for _, label := range []string{"d", "never met",
				string(e.label)} { // the last of these is as good as the first
				if _, err := m.Prepare([]byte(label), 2); err != nil {
					t.Fatal(err)
				}
			}
			if class >= 0 {
				m.Explain(class, e.x)
				m.Top(class, 3)
			}
			again, other, err := m.Predict(e.x)
			if err != nil || again != class || other != score {
				t.Fatalf("predicted %d %v, then %d %v, %v", class, score, again, other, err)
			}
			if m.Learn() {
				t.Fatal("Learn went on without Prepare")
			}
			same(t, before, snapMulti(m))
			if i%2 == 0 { // a new class that was prepared and not learned leaves nothing behind
				if _, err := m.Prepare([]byte("never met"), 1); err != nil {
					t.Fatal(err)
				}
			}
			multiStep(t, m, nil, e)
		}
	})
}

func TestMultiUpdatedMeansThatWeightsMove(t *testing.T) {
	everyMulti(t, func(t *testing.T, fresh func() *Multi) {
		m := fresh()
		for i, e := range classStream(2, 60) {
			before := snapMulti(m)
			classes := len(m.Classes())
			_, _, updated := multiStep(t, m, nil, e)
			after := snapMulti(m)
			moved := false
			for name, bits := range after.columns {
				if was, there := before.columns[name]; there && len(name) > 7 && name[len(name)-7:] == columnWeights {
					moved = moved || !reflect.DeepEqual(was, bits)
				}
			}
			for name, text := range after.bytes {
				moved = moved || name != columnNames && before.bytes[name] != text
			}
			if classes == len(m.Classes()) && moved != updated {
				t.Fatalf("example %d: updated %v, weights moved %v", i, updated, moved)
			}
		}
	})
}

func TestMultiWeightZero(t *testing.T) {
	everyMulti(t, func(t *testing.T, fresh func() *Multi) {
		m := fresh()
		for i, e := range classStream(3, 80) {
			if _, _, err := m.Predict(e.x); err != nil {
				t.Fatal(err)
			}
			if updated, err := m.Prepare(e.label, 0); updated || err != nil {
				t.Fatal(i, updated, err)
			}
			m.Learn()
		}
		for c := range m.Classes() {
			if len(m.Top(c, 1)) != 0 || m.Bias(c) != 0 {
				t.Error("a weight of 0 moved a weight")
			}
		}
		if len(m.Classes()) != 4 || m.met == 0 {
			t.Error("classes and slots were not met")
		}
	})
}

func TestMultiStateSurvivesASave(t *testing.T) {
	everyMulti(t, func(t *testing.T, fresh func() *Multi) {
		m, score := fresh(), new(metrics.Multiclass)
		examples := classStream(5, 300)
		for _, e := range examples[:25] { // two classes or three are known, the others come later
			multiStep(t, m, score, e)
		}
		loaded := reload(t, m)
		same(t, snapMulti(m), snapMulti(loaded))
		if !reflect.DeepEqual(m.Top(0, 100), loaded.Top(0, 100)) || m.Bias(0) != loaded.Bias(0) {
			t.Fatal("the model loaded shows other weights")
		}
		for i, e := range examples[25:] {
			class, bits, updated := multiStep(t, m, score, e)
			if c, b, u := multiStep(t, loaded, nil, e); c != class || b != bits || u != updated {
				t.Fatalf("the model loaded went its own way %d examples on", i)
			}
		}
		same(t, snapMulti(m), snapMulti(loaded))
	})
}

func TestMultiCopiesAreApart(t *testing.T) {
	everyMulti(t, func(t *testing.T, fresh func() *Multi) {
		m, dst := fresh(), new(Multi)
		examples := classStream(6, 150)
		for i, e := range examples[:100] {
			multiStep(t, m, nil, e)
			if i%24 != 23 {
				continue
			}
			m.CopyTo(dst)
			if _, err := dst.Prepare([]byte("a"), 1); err == nil {
				t.Fatal("an example of the old model was prepared for the new")
			}
			before := snapMulti(dst)
			same(t, before, snapMulti(m))
			again := new(Multi)
			m.CopyTo(again)
			for _, e := range examples[100:] {
				multiStep(t, again, nil, e)
			}
			multiStep(t, m, nil, examples[i+25])
			same(t, before, snapMulti(dst))
			again.CopyTo(dst) // more classes, maybe
			m.CopyTo(dst)     // and fewer
			same(t, snapMulti(m), snapMulti(dst))
			if dst.ClassOf([]byte("d")) != m.ClassOf([]byte("d")) {
				t.Fatal("the copy has another class")
			}
		}
	})
}
