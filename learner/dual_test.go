package learner

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestDualIsThePrimal gives both the same order, again and again: with the linear kernel and room for all, θ and b
// are the primal's weights. The numbers are dyadic, so every sum is exact and equal means equal.
func TestDualIsThePrimal(t *testing.T) {
	for _, parameters := range []string{"rate=1", "rate=0.5,threshold=2", "update=mistake"} {
		primal := newModel(t, "perceptron:"+parameters, ScaleNone, 6)
		kernel := newModel(t, "dual:"+parameters, ScaleNone, 6)
		again := 0.0
		examples := stream(21, 100, 8, 6)
		for i := range 5 * len(examples) {
			e := examples[i%len(examples)]
			if a, b := step(t, primal, e), step(t, kernel, e); a != b {
				t.Fatalf("%s: example %d: scores %v and %v", parameters, i, math.Float64frombits(a),
					math.Float64frombits(b))
			}
		}
		if !reflect.DeepEqual(primal.Top(64), kernel.Top(64)) || primal.Bias() != kernel.Bias() ||
			len(kernel.Top(64)) < 20 {
			t.Errorf("%s: the weights differ:\n%v\n%v", parameters, primal.Top(64), kernel.Top(64))
		}
		kept := kernel.method.(*dual).kept
		for i := range kept {
			again = max(again, kept[i].count)
		}
		if len(kept) > len(examples) || again < 2 {
			t.Errorf("%s: %d examples kept, the largest count is %v", parameters, len(kept), again)
		}
	}
}

// TestXOR: no line parts the four points, a polynomial of degree 2 and radial functions do.
func TestXOR(t *testing.T) {
	points := []example{}
	for _, p := range [][3]float64{{0, 0, -1}, {0, 1, 1}, {1, 0, 1}, {1, 1, -1}} {
		points = append(points, example{label: int8(p[2]),
			x: []Feature{{Slot: 0, Print: 1, Value: p[0]}, {Slot: 1, Print: 1, Value: p[1]}}})
	}
	for learner, separates := range map[string]bool{
		"perceptron": false, "dual": false, "dual:kernel=poly": true, "dual:kernel=poly,degree=2,offset=0": true,
		"dual:kernel=rbf":                    true,
		"dual:kernel=rbf,gamma=0.1,rate=0.3": true,
	} {
		m := newModel(t, learner, ScaleNone, 1)
		updates := int64(1)
		for pass := 0; pass < 1000 && updates > 0; pass++ {
			updates = run(t, m, points).Updates()
		}
		if (updates == 0) != separates {
			t.Errorf("%s: %d updates in the last pass", learner, updates)
		}
	}
}

// TestKernels compares with the formulas on dense vectors, with a slot that two features share.
func TestKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	vector := func() (x []Feature, dense [8]float64) {
		for range 5 {
			f := Feature{Slot: r.Uint32N(8), Print: 1, Value: r.NormFloat64()}
			x, dense[f.Slot] = append(x, f), dense[f.Slot]+f.Value
		}
		return x, dense
	}
	for learner, formula := range map[string]func(product, distance float64) float64{
		"dual":                                 func(p, _ float64) float64 { return p },
		"dual:kernel=poly,degree=3,offset=0.5": func(p, _ float64) float64 { return math.Pow(p+0.5, 3) },
		"dual:kernel=rbf,gamma=0.3":            func(_, d float64) float64 { return math.Exp(-0.3 * d) },
	} {
		for range 100 {
			m := newModel(t, learner, ScaleNone, 3)
			a, denseA := vector()
			b, denseB := vector()
			step(t, m, example{x: a, label: -1})
			product, distance := 0.0, 0.0
			for i := range denseA {
				product += denseA[i] * denseB[i]
				distance += (denseA[i] - denseB[i]) * (denseA[i] - denseB[i])
			}
			score, err := m.Predict(b)
			if want := -formula(product, distance) - 1; err != nil || math.Abs(score-want) > 1e-12*(1+math.Abs(want)) {
				t.Fatalf("%s: score %v, %v, want %v", learner, score, err, want)
			}
		}
	}
}

// TestBudget: with a full house what was learned least often goes, of those the oldest, with its part of the bias;
// order stays.
func TestBudget(t *testing.T) {
	m := newModel(t, "dual:budget=3,kernel=rbf,threshold=1e30", ScaleNone, 4)
	learn := func(slot uint32, label int8) {
		step(t, m, example{x: []Feature{{Slot: slot, Print: 1, Value: 1}}, label: label})
	}
	kept := func() (s string) {
		for _, k := range m.method.(*dual).kept {
			s += fmt.Sprint(k.terms[0].slot, "*", k.label*k.count, " ")
		}
		return s
	}
	for i, row := range []struct {
		slot  uint32
		label int8
		kept  string
		bias  float64
	}{
		{1, 1, "1*1 ", 1}, {2, -1, "1*1 2*-1 ", 0}, {1, 1, "1*2 2*-1 ", 1}, {3, 1, "1*2 2*-1 3*1 ", 2},
		{4, 1, "1*2 3*1 4*1 ", 4},
		{3, -1, "1*2 4*1 3*-1 ", 2}, {4, 1, "1*2 4*2 3*-1 ", 3}, {3, -1, "1*2 4*2 3*-2 ", 2},
		{5, -1, "4*2 3*-2 5*-1 ", -1}, {6, 1, "4*2 3*-2 6*1 ", 1},
	} {
		if learn(row.slot, row.label); kept() != row.kept || m.Bias() != row.bias {
			t.Fatalf("example %d: %s, bias %v, want %s, %v", i, kept(), m.Bias(), row.kept, row.bias)
		}
	}
}

// TestLoweredBudget loads more examples than may be kept now: they go when the next one comes.
func TestLoweredBudget(t *testing.T) {
	m := newModel(t, "dual:budget=50", ScaleNone, 6)
	for _, e := range stream(22, 200, 8, 6) {
		step(t, m, e)
	}
	less := newModel(t, "dual:budget=7", ScaleNone, 6)
	copy(less.prints, m.prints)
	if err := less.Restore(m.State(), m.names.text, m.method.(*dual).save(), m.method.(*dual).saveTimes()); err != nil {
		t.Fatal(err)
	}
	if got, want := less.Top(64), m.Top(64); !reflect.DeepEqual(got, want) {
		t.Error("the weights differ")
	}
	e := stream(23, 1, 8, 6)[0]
	for _, label := range []int8{1, -1} {
		step(t, less, example{x: e.x, label: label})
	}
	if n := len(less.method.(*dual).kept); n != 7 {
		t.Errorf("%d examples kept, want 7", n)
	}
}

func TestDualHasNoStartWeights(t *testing.T) {
	m := newModel(t, "dual", ScaleNone, 6)
	if err := m.SetWeight(1, 1, []byte("a"), 1); err == nil {
		t.Error("a start weight was taken")
	}
	if err := m.SetBias(2); err != nil || m.Bias() != 2 {
		t.Error(m.Bias(), err)
	}
}

// TestDualRefusesTheLarge: what could not be loaded, or would leave no room in a score, is not kept.
func TestDualRefusesTheLarge(t *testing.T) {
	for learner, value := range map[string]float64{
		"dual": 1e126, "dual:kernel=rbf": 1e126, "dual:kernel=poly,degree=100": 1e2, "dual:negative-weight=1e30": 1e111,
	} {
		for _, v := range []float64{value, value / 1e10} {
			m := newModel(t, learner, ScaleNone, 2)
			if _, err := m.Predict([]Feature{{Slot: 1, Print: 1, Value: v}}); err != nil {
				t.Fatal(err)
			}
			updated, err := m.Prepare(-1, 1)
			if refused := errors.Is(err, ErrOverflow); refused != (v == value) || updated == refused {
				t.Errorf("%s, value %v: updated %v, %v", learner, v, updated, err)
			}
			m.Learn()
			saveAndLoad(t, m)
		}
	}
}

// TestSame: a hash only finds candidates, and two examples may have the same.
func TestSame(t *testing.T) {
	s := support{terms: []term{{1, 2}, {3, 4}}, label: 1, hash: 9}
	x := []Feature{{Slot: 1, Value: 2}, {Slot: 3, Value: 4}}
	if !s.same(x, 1, 9) {
		t.Error("it is the same")
	}
	if s.same(x, -1, 9) || s.same(x, 1, 8) || s.same(x[:1], 1, 9) ||
		s.same([]Feature{x[0], {Slot: 2, Value: 4}}, 1, 9) ||
		s.same([]Feature{x[0], {Slot: 3, Value: 5}}, 1, 9) {
		t.Error("it is another one")
	}
}

// TestDistanceIsNotNegative: ‖x‖² + ‖z‖² - 2·x·z may be below 0 by rounding, and gamma may be large.
func TestDistanceIsNotNegative(t *testing.T) {
	k := Kernel{Name: KernelRBF, Gamma: 1e30}
	if got := k.Of(math.Nextafter(1, 2), 1, 1); got != 1 {
		t.Errorf("the kernel is %v, want 1", got)
	}
}

// hostileKept spoils one kept example, label 1, count 1, terms (3, 2) and (5, -1).
func hostileKept(spoil func(b []byte) []byte) []byte {
	m, _ := New(Spec{Learner: Dual, Bits: 3})
	d := m.method.(*dual)
	d.kept = []support{{label: 1, count: 1, terms: []term{{3, 2}, {5, -1}}}}
	return spoil(d.save())
}

func TestHostileKept(t *testing.T) {
	float := func(at int, v float64) func(b []byte) []byte {
		return func(b []byte) []byte {
			for i, bits := 0, math.Float64bits(v); i < 8; i, bits = i+1, bits>>8 {
				b[at+i] = byte(bits)
			}
			return b
		}
	}
	put := func(at int, v byte) func(b []byte) []byte {
		return func(b []byte) []byte { b[at] = v; return b }
	}
	for what, spoil := range map[string]func(b []byte) []byte{
		"label 0":            put(0, 0),
		"label 2":            put(0, 2),
		"count 0":            float(1, 0),
		"count negative":     float(1, -1),
		"count infinite":     float(1, math.Inf(1)),
		"count NaN":          float(1, math.NaN()),
		"too many terms":     put(9, 3),
		"far too many terms": put(12, 255),
		"one term too few":   put(9, 1),
		"slot 8 of 8":        put(13, 8),
		"slot huge":          put(16, 255),
		"value NaN":          float(17, math.NaN()),
		"value infinite":     float(29, math.Inf(-1)),
		"square infinite":    float(17, 1e300),
		"cut in the head":    func(b []byte) []byte { return b[:12] },
		"cut in a term":      func(b []byte) []byte { return b[:len(b)-1] },
		"one byte more":      func(b []byte) []byte { return append(b, 0) },
	} {
		m := newModel(t, "dual", ScaleNone, 3)
		if err := m.Restore(State{}, nil, hostileKept(spoil), once(1)); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
	m := newModel(t, "dual", ScaleNone, 3)
	m.prints[3], m.prints[5] = 1, 1
	if err := m.Restore(State{}, nil, hostileKept(slices.Clone[[]byte]), once(1)); err != nil || len(m.Top(9)) != 2 {
		t.Errorf("%v, %v", m.Top(9), err)
	}
	if err := m.Restore(State{}, nil); err == nil {
		t.Error("a dual without its examples was taken")
	}
	if err := newModel(t, "pa", ScaleNone, 3).Restore(State{}, nil, nil); err == nil {
		t.Error("a learner that keeps no examples was given some")
	}
}

// once is the column of mistakes of n examples that were learned once.
func once(n int) []byte { return slices.Repeat([]byte{1, 0, 0, 0, 0, 0, 0, 0}, n) }

// FuzzKept loads anything as kept examples: it is refused, or reads back as it is and can be predicted with and
// learned from.
func FuzzKept(f *testing.F) {
	f.Add(hostileKept(func(b []byte) []byte { return b }))
	f.Add(hostileKept(func(b []byte) []byte { return append(b, b...) }))
	f.Fuzz(func(t *testing.T, text []byte) {
		m := newModel(t, "dual:kernel=poly,degree=3", ScaleNone, 3)
		first := newModel(t, "dual:kernel=poly,degree=3", ScaleNone, 3).method.(*dual)
		if first.load(text) != nil || m.Restore(State{}, nil, text, once(len(first.kept))) != nil {
			return
		}
		if !bytes.Equal(m.method.(*dual).save(), text) {
			t.Error("the state reads back otherwise")
		}
		x := []Feature{{Slot: 3, Print: 1, Value: 1e-3}, {Slot: 7, Print: 1, Value: 2}}
		m.Explain(x)
		m.Top(3)
		if score, err := m.Predict(x); err == nil {
			if _, err := m.Prepare(Sign(-score), 1); err == nil {
				m.Learn()
			}
		}
		if slices.ContainsFunc(m.method.(*dual).dense, func(v float64) bool { return v != 0 }) {
			t.Error("the scratch was not cleaned")
		}
	})
}
