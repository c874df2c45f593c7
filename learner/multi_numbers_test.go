package learner

import (
	"errors"
	"math"
	"testing"

	"rosenblatt/learner/metrics"
)

func TestMultiNonFiniteIsRefused(t *testing.T) {
	everyMulti(t, func(t *testing.T, fresh func() *Multi) {
		m := fresh()
		for _, e := range classStream(8, 60) {
			multiStep(t, m, nil, e)
		}
		before := snapMulti(m)
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64} {
			if _, _, err := m.Predict(append(one(3, 1), one(4, v)...)); !errors.Is(err, ErrOverflow) {
				t.Errorf("%v: %v", v, err)
			}
			if _, err := m.Prepare([]byte("a"), 1); err == nil {
				t.Errorf("%v: Prepare went on", v)
			}
			m.Learn()
		}
		for _, weight := range []float64{-1, math.NaN(), 2 * MaxValue} {
			if _, _, err := m.Predict(one(3, 1)); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Prepare([]byte("a"), weight); !errors.Is(err, errWeight) {
				t.Errorf("weight %v: %v", weight, err)
			}
			m.Learn()
		}
		same(t, before, snapMulti(m))
	})
}

// TestMultiOddNumbers feeds what is in range and far from usual: nothing may ever stop being finite.
func TestMultiOddNumbers(t *testing.T) {
	odd := []float64{1e29, -1e29, 1e30, -1e30, 5e-324, -5e-324, 1e-310, math.Copysign(0, -1), 0, 1e-160, 1, 1 + 0x1p-52,
		1e-30}
	everyMulti(t, func(t *testing.T, fresh func() *Multi) {
		m := fresh()
		for i := range 3000 {
			x := append(append(one(1, odd[i%len(odd)]), one(2, odd[i*i%7])...), one(1, odd[i/7%len(odd)])...)
			_, score, err := m.Predict(x)
			if err == nil {
				_, err = m.Prepare([]byte{byte('a' + i*i/3%3)}, []float64{1, MaxValue}[i%2])
			}
			if errors.Is(err, ErrOverflow) {
				continue
			}
			if err != nil || !finite(score) {
				t.Fatalf("example %d: score %v, %v", i, score, err)
			}
			m.Learn()
		}
		reload(t, m)
	})
}

// TestMultiSameInputSameBits lets one of two models predict more than the other, and prepare what is never learned.
func TestMultiSameInputSameBits(t *testing.T) {
	everyMulti(t, func(t *testing.T, fresh func() *Multi) {
		a, b := fresh(), fresh()
		for i, e := range classStream(7, 150) {
			if i%3 == 0 {
				if _, _, err := b.Predict(stream(uint64(i), 1, 8, 6)[0].x); err != nil {
					t.Fatal(err)
				}
				if _, err := b.Prepare([]byte("z"), 1); err != nil {
					t.Fatal(err)
				}
			}
			ca, sa, _ := multiStep(t, a, nil, e)
			if cb, sb, _ := multiStep(t, b, nil, e); ca != cb || sa != sb {
				t.Fatalf("example %d: other bits", i)
			}
		}
		same(t, snapMulti(a), snapMulti(b))
	})
}

func TestMultiStepsDoNotAllocate(t *testing.T) {
	for _, row := range []struct{ learner, scheme string }{{"perceptron", Direct}, {"pa1", Direct}, {"averaged", OVA},
		{"logistic", OVA}, {"arow", OVO}} {
		m, score := newMulti(t, row.learner, row.scheme, ScaleStandard, 6), new(metrics.Multiclass)
		examples := classStream(9, 200)
		for _, e := range examples {
			multiStep(t, m, score, e)
		}
		i := 0
		if n := testing.AllocsPerRun(500, func() {
			multiStep(t, m, score, examples[i%len(examples)])
			i++
		}); n > 0.05 { // a kind of mistake may be a new one
			t.Errorf("%v: %v allocations a step", row, n)
		}
	}
}
