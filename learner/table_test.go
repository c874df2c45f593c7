package learner

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func TestCollisionsCountSlots(t *testing.T) {
	m := newModel(t, "perceptron", ScaleNone, 4)
	want := make(map[uint32]map[uint16]bool)
	r := rand.New(rand.NewPCG(3, 3))
	for range 40 {
		f := Feature{Slot: r.Uint32N(16), Print: uint16(r.IntN(3)) + 1, Value: 1}
		if want[f.Slot] == nil {
			want[f.Slot] = make(map[uint16]bool)
		}
		want[f.Slot][f.Print] = true
		step(t, m, example{x: []Feature{f}, label: 1})
		several := 0
		for _, prints := range want {
			if len(prints) > 1 {
				several++
			}
		}
		if m.Collisions() != several || m.met != len(want) {
			t.Fatalf("%d collisions of %d, want %d of %d", m.Collisions(), m.met, several, len(want))
		}
	}
	if m.Collisions() == 0 || m.Collisions() == 16 {
		t.Fatal("the test shows nothing")
	}
}

func TestStartWeights(t *testing.T) {
	m := newModel(t, "perceptron", ScaleNone, 4)
	for _, w := range []struct {
		slot   uint32
		name   string
		weight float64
	}{{1, "a", 2}, {2, "b", -3}, {1, "a", 4}, {9, "c", -4}, {10, "d", 0}} {
		if err := m.SetWeight(w.slot, uint16(w.name[0]), []byte(w.name), w.weight); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.SetBias(0.5); err != nil {
		t.Fatal(err)
	}
	score, err := m.Predict([]Feature{{Slot: 1, Print: 'a', Value: 1}, {Slot: 2, Print: 'b', Value: 2}})
	if err != nil || score != -1.5 {
		t.Errorf("score %v, %v", score, err)
	}
	if m.Collisions() != 0 {
		t.Error("a weight given twice is no collision")
	}
	for what, err := range map[string]error{
		"another name's slot": m.SetWeight(1, 'x', []byte("x"), 1),
		"too large":           m.SetWeight(3, 'x', []byte("x"), 1.1e30),
		"not a number":        m.SetWeight(3, 'x', []byte("x"), math.NaN()),
		"slot too high":       m.SetWeight(16, 'x', []byte("x"), 1),
		"no print":            m.SetWeight(3, 0, []byte("x"), 1),
		"print too high":      m.SetWeight(3, shared, []byte("x"), 1),
		"bias":                m.SetBias(math.Inf(1)),
	} {
		if err == nil {
			t.Errorf("%s: taken", what)
		}
	}
	want := []NamedWeight{{"a", 4, 1, false}, {"c", -4, 9, false}, {"b", -3, 2, false}}
	if got := m.Top(10); !reflect.DeepEqual(got, want) {
		t.Errorf("top %v, want %v", got, want)
	}
}

func TestTopAgainstASort(t *testing.T) {
	m := newModel(t, "perceptron", ScaleNone, 10)
	r := rand.New(rand.NewPCG(4, 4))
	var all []uint32
	for slot := range uint32(1000) {
		if m.weights[slot] = float64(r.IntN(101) - 50); m.weights[slot] != 0 {
			all = append(all, slot)
			m.prints[slot] = 1
		}
	}
	slices.SortStableFunc(all, func(a, b uint32) int { return int(math.Abs(m.weights[b]) - math.Abs(m.weights[a])) })
	for _, n := range []int{-1, 0, 1, 2, 20, len(all), math.MaxInt} {
		top := m.Top(n)
		if len(top) != min(max(n, 0), len(all)) {
			t.Fatalf("Top(%d) has %d", n, len(top))
		}
		for i, w := range top {
			if w.Slot != all[i] || w.Weight != m.weights[all[i]] {
				t.Fatalf("Top(%d)[%d] = %+v, want slot %d", n, i, w, all[i])
			}
		}
	}
}

func TestExplainAddsUp(t *testing.T) {
	everyModel(t, func(t *testing.T, fresh func() *Model) {
		m := fresh()
		spec := m.Spec()
		for _, e := range stream(9, 100, 8, 6) {
			weights := make(map[uint32]float64)
			for _, w := range m.Top(64) {
				weights[w.Slot] = w.Weight
			}
			sum := 0.0
			for i, c := range m.Explain(e.x) {
				if c.Slot != e.x[i].Slot || c.Weight != weights[c.Slot] || c.Product != c.Value*c.Weight {
					t.Fatalf("contribution %+v, want weight %v", c, weights[c.Slot])
				}
				sum += c.Product
			}
			sum += m.Bias()
			score := math.Float64frombits(step(t, m, e))
			switch {
			case spec.Kernel == KernelLinear:
				if math.Abs(sum-score) > 1e-9*(1+math.Abs(score)) {
					t.Fatalf("the contributions add up to %v, the score is %v", sum, score)
				}
			case spec.Kernel != "":
				if len(weights) != 0 {
					t.Fatal("a kernel has no weights")
				}
			case sum != score:
				t.Fatalf("the contributions add up to %v, the score is %v", sum, score)
			}
		}
	})
}
