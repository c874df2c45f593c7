package learner

import (
	"errors"
	"math"
	"testing"
)

// TestUpdateByHand follows three examples that were worked out on paper: rate 0.5, so every step is half an example.
func TestUpdateByHand(t *testing.T) {
	m := newModel(t, "perceptron:rate=0.5", ScaleNone, 2)
	for i, row := range []struct {
		x0, x1  float64
		label   int8
		weight  float64
		score   float64
		updated bool
		w0, w1  float64
		bias    float64
	}{
		{2, 1, -1, 1, 0, true, -1, -0.5, -0.5},    // 0; step -0.5
		{1, -4, 1, 1, 0.5, false, -1, -0.5, -0.5}, // -1 + 2 - 0.5
		{-3, 1, -1, 4, 2, true, 5, -2.5, -2.5},    // 3 - 0.5 - 0.5; step -0.5*4 = -2
	} {
		score, err := m.Predict([]Feature{{Slot: 0, Print: 1, Value: row.x0}, {Slot: 3, Print: 1, Value: row.x1}})
		if err != nil || score != row.score {
			t.Fatalf("example %d: score %v, %v, want %v", i, score, err, row.score)
		}
		if norm := m.SquaredNorm(); norm != row.x0*row.x0+row.x1*row.x1+1 {
			t.Errorf("example %d: squared norm %v", i, norm)
		}
		updated, err := m.Prepare(row.label, row.weight)
		if err != nil || updated != row.updated {
			t.Fatalf("example %d: updated %v, %v, want %v", i, updated, err, row.updated)
		}
		m.Learn()
		if m.weights[0] != row.w0 || m.weights[3] != row.w1 || m.Bias() != row.bias {
			t.Fatalf("example %d: weights %v, bias %v, want %v, %v, %v", i, m.weights, m.Bias(), row.w0, row.w1,
				row.bias)
		}
	}
}

func TestWhoLearns(t *testing.T) {
	for _, row := range []struct {
		learner string
		score   float64
		label   int8
		want    bool
	}{
		{"perceptron", 0, 1, true},
		{"perceptron", 0, -1, true},
		{"perceptron", 0.1, 1, false},
		{"perceptron", 0.1, -1, true},
		{"perceptron:threshold=1", 1, 1, true},
		{"perceptron:threshold=1", math.Nextafter(1, 2), 1, false},
		{"perceptron:threshold=1", -1, -1, true},
		{"perceptron:threshold=1", -1.5, -1, false},
		{"perceptron:update=mistake", 0, 1, false},
		{"perceptron:update=mistake", 0, -1, true},
		{"perceptron:update=mistake", -0.1, 1, true},
		{"perceptron:update=mistake", -0.1, -1, false},
	} {
		m := newModel(t, row.learner, ScaleNone, 1)
		if err := m.SetBias(row.score); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Predict(nil); err != nil {
			t.Fatal(err)
		}
		if got, err := m.Prepare(row.label, 1); got != row.want || err != nil {
			t.Errorf("%s, score %v, label %d: updated %v, %v", row.learner, row.score, row.label, got, err)
		}
	}
}

func TestSign(t *testing.T) {
	for score, want := range map[float64]int8{0: 1, 1e-300: 1, -5e-324: -1, -2: -1, math.Copysign(0, -1): 1} {
		if got := Sign(score); got != want {
			t.Errorf("Sign(%v) = %d", score, got)
		}
	}
}

// TestSharedSlot has one example hold a slot twice: both values count in the score, both are learned.
func TestSharedSlot(t *testing.T) {
	m := newModel(t, "perceptron", ScaleNone, 1)
	x := []Feature{{Slot: 1, Print: 1, Value: 2}, {Slot: 1, Print: 2, Value: 3}}
	for i, want := range []float64{0, 26} { // (2+3)*(2+3) + 1
		if score, err := m.Predict(x); err != nil || score != want {
			t.Fatalf("prediction %d: %v, %v, want %v", i, score, err, want)
		}
		if _, err := m.Prepare(1, 1); err != nil {
			t.Fatal(err)
		}
		m.Learn()
	}
	if m.Collisions() != 1 {
		t.Errorf("%d collisions, want 1", m.Collisions())
	}
}

func TestPrepareRefuses(t *testing.T) {
	m := newModel(t, "perceptron", ScaleNone, 1)
	if _, err := m.Prepare(1, 1); err == nil {
		t.Error("Prepare without Predict")
	}
	if _, err := m.Predict([]Feature{{Print: 1, Value: 1}}); err != nil {
		t.Fatal(err)
	}
	for _, weight := range []float64{-1, math.NaN(), math.Inf(1), 1.1e30} {
		if _, err := m.Prepare(1, weight); err == nil || errors.Is(err, ErrOverflow) {
			t.Errorf("weight %v: %v", weight, err)
		}
	}
	for _, label := range []int8{0, 2, -128} {
		if _, err := m.Prepare(label, 1); err == nil {
			t.Errorf("label %d was taken", label)
		}
	}
	if m.Learn(); m.met != 0 {
		t.Error("Learn after a failed Prepare")
	}
}

// TestNoStepOverflows starts at the largest weights there are, which only a loaded state can have, and takes the
// largest steps there are: a score may overflow and is refused, a weight never does.
func TestNoStepOverflows(t *testing.T) {
	for _, w := range []float64{math.MaxFloat64, -math.MaxFloat64, math.MaxFloat64 / 2} {
		m := newModel(t, "perceptron:threshold=1e30", ScaleNone, 1)
		m.weights[1], m.bias = w, -w
		learned := 0
		for i := range 1000 {
			v := []float64{1, -1, 1e30, -1e30}[i/2%4]
			x := []Feature{{Slot: 1, Print: 1, Value: 0.5}, {Slot: 0, Print: 1, Value: v},
				{Slot: 0, Print: 2, Value: v}}
			if _, err := m.Predict(x); err != nil {
				if !errors.Is(err, ErrOverflow) {
					t.Fatal(err)
				}
				continue
			}
			updated, err := m.Prepare(int8(1-i%2*2), MaxValue)
			if err != nil {
				t.Fatal(err)
			}
			m.Learn()
			if updated {
				learned++
			}
			if !finite(m.weights[0]) || !finite(m.weights[1]) || !finite(m.bias) {
				t.Fatalf("weights %v, bias %v", m.weights, m.bias)
			}
		}
		if learned < 100 {
			t.Errorf("start %v: %d steps taken", w, learned)
		}
	}
}

func TestScoreOverflows(t *testing.T) {
	m := newModel(t, "perceptron", ScaleNone, 1)
	m.weights[1] = math.MaxFloat64
	for _, v := range []float64{2, -2} {
		if _, err := m.Predict([]Feature{{Slot: 1, Print: 1, Value: v}}); !errors.Is(err, ErrOverflow) {
			t.Errorf("value %v: %v", v, err)
		}
	}
}
