package learner

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestDualPA1IsPA1: with the linear kernel the passive-aggressive dual is pa1, and the averaged one averaged, but for
// the order of summation.
func TestDualPA1IsPA1(t *testing.T) {
	for dual, primal := range map[string]string{
		"dual:update=pa1,C=0.1,budget=1000": "pa1:C=0.1", "dual:predict=mean,budget=1000": "averaged"} {
		a, b := newModel(t, dual, ScaleStandard, 6), newModel(t, primal, ScaleStandard, 6)
		r := rand.New(rand.NewPCG(31, 1))
		for i := range 300 {
			e := example{label: int8(2*r.IntN(2) - 1)}
			for slot := range uint32(6) {
				e.x = append(e.x, Feature{Slot: slot, Print: 1, Value: r.NormFloat64() + float64(e.label)/2})
			}
			x, y := predictOnly(t, a, e), predictOnly(t, b, e)
			if math.Abs(x-y) > 1e-9*(1+math.Abs(y)) {
				t.Fatalf("%s, example %d: %v, want %v of %s", dual, i, x, y, primal)
			}
			step(t, a, e)
			step(t, b, e)
		}
	}
}

func predictOnly(t *testing.T, m *Model, e example) float64 {
	t.Helper()
	s, err := m.Predict(e.x)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDualParameters: what excludes each other is refused.
func TestDualParameters(t *testing.T) {
	for text, want := range map[string]string{
		"dual:update=pa1":                  "",
		"dual:update=pa1,C=0.5":            "",
		"dual:update=mistake,predict=mean": "",
		"dual:C=2":                         "only update=pa1 has it",
		"dual:update=pa1,rate=0.5":         "update=pa1 has neither",
		"dual:update=pa1,threshold=1":      "update=pa1 has neither",
		"dual:predict=all":                 "want last or mean",
		"perceptron:update=pa1":            "want threshold or mistake",
	} {
		spec := Spec{}
		err := ParseLearner(text, &spec)
		if want == "" && (err != nil || spec.String() != text) || want != "" && (err == nil ||
			!strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, %v, want %q", text, spec, err, want)
		}
	}
}

// TestHostileLags: lags that no stream leads to are refused.
func TestHostileLags(t *testing.T) {
	m := newModel(t, "dual:predict=mean", ScaleNone, 3)
	for _, e := range stream(32, 20, 3, 3) {
		step(t, m, e)
	}
	d := m.method.(*dual)
	for _, lag := range []float64{-1, math.NaN(), math.Inf(1), 1e9} {
		lags := d.saveLags()
		binary.LittleEndian.PutUint64(lags, math.Float64bits(lag))
		if err := d.loadLags(lags, m.time); err == nil {
			t.Errorf("a lag of %v is taken", lag)
		}
	}
	if err := d.loadLags(d.saveLags()[1:], m.time); err == nil {
		t.Error("lags of too few examples are taken")
	}
}
