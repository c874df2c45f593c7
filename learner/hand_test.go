package learner

import (
	"math"
	"testing"
)

// handRow is one example of one feature, worked out on paper: its score, and weight and bias after it.
type handRow struct {
	x     float64
	label int8
	score float64
	w, b  float64
}

// TestLearnersByHand follows each learner through examples of one feature, with the bias as one more of value 1.
func TestLearnersByHand(t *testing.T) {
	sigmoid := func(s float64) float64 { return 1 / (1 + math.Exp(-s)) }
	p := sigmoid(-0.5)
	root := 1 / math.Sqrt(5)
	n := math.Hypot(2*root-1, root+1)
	for _, c := range []struct {
		learner string
		rows    []handRow
	}{
		// Hinge loss 1 over the squared norm 4+1; then 1.2 over 1+1. The score of the second is 1 then.
		{"pa", []handRow{{2, 1, 0, 0.4, 0.2}, {-1, 1, -0.2, -0.2, 0.8}, {-1, 1, 1, -0.2, 0.8}}},
		// 1/5 and 1.1/2 are both over C.
		{"pa1:C=0.1", []handRow{{2, 1, 0, 0.2, 0.1}, {-1, 1, -0.1, 0.1, 0.2}}},
		// 1/(2C) is 1: steps 1/6 and (7/6)/3.
		{"pa2:C=0.5", []handRow{{2, 1, 0, 1. / 3, 1. / 6}, {-1, 1, -1. / 6, -1. / 18, 10. / 18}}},
		// v 5, β and α 1/6, variances 1/3 and 5/6; then v 7/6, β 6/13, α 7/13.
		{"arow", []handRow{{2, 1, 0, 1. / 3, 1. / 6}, {-1, 1, -1. / 6, 2. / 13, 8. / 13}}},
		// As before, but the variance of the weight stops at 0.4: v 0.4+5/6 = 37/30, β 30/67, α 35/67.
		{"arow:floor=0.4", []handRow{{2, 1, 0, 1. / 3, 1. / 6}, {-1, 1, -1. / 6, 1./3 - 14./67, 1./6 + 35.*5/(67*6)}}},
		// Gradients -1 and -0.5 alone under their roots: two whole steps of the rate. Then -2p and p at p =
		// 1/(1+e^0.5).
		{"logistic:rate=0.5,window=0", []handRow{{2, 1, 0, 0.5, 0.5},
			{-2, -1, -0.5, 0.5 + p/math.Sqrt(1+4*p*p), 0.5 - 0.5*p/math.Sqrt(0.25+p*p)}}},
		// The weights go 2, 1, 1, 1 and the biases 1, 2, 2, 2: the mean predicts.
		{"averaged", []handRow{{2, 1, 0, 2, 1}, {-1, 1, -1, 1.5, 1.5}, {1, 1, 3, 4. / 3, 5. / 3},
			{1, 1, 3, 5. / 4, 7. / 4}}},
		// Blocks of 2: means over 1, 2, 2+1, 2 and 2+1 examples, from the fourth on without the first two.
		{"averaged:window=4", []handRow{{2, 1, 0, 2, 1}, {-1, 1, -1, 1.5, 1.5}, {1, 1, 3, 4. / 3, 5. / 3},
			{1, 1, 3, 1, 2}, {1, 1, 3, 1, 2}}},
		// a = (a+w)/2: 1, 1, 1 and 0.5, 1.25, 1.625.
		{"averaged:decay=0.5", []handRow{{2, 1, 0, 1, 0.5}, {-1, 1, -0.5, 1, 1.25}, {1, 1, 2.25, 1, 1.625}}},
		// Rates 1, 1/2, 1/3.
		{"perceptron:decay=1", []handRow{{2, 1, 0, 2, 1}, {1, -1, 3, 1.5, 0.5}, {-3, 1, -4, 0.5, 5. / 6}}},
		// The weight 2 is drawn by 0.25 and is 1.75 by the next example, and 0.5 after; a bias is not drawn. Then
		// there is nothing to learn.
		{"perceptron:l1=0.25", []handRow{{2, 1, 0, 1.75, 1}, {1, -1, 2.75, 0.5, 0}, {0, -1, 0, 0.25, -1},
			{4, 1, 0, 4, 0}}},
		// The weight is halved after each example.
		{"perceptron:l2=0.6931471805599453", []handRow{{2, 1, 0, 1, 1}, {1, -1, 2, 0, 0}}},
		{"perceptron:l1=0.25", []handRow{{2, -1, 0, -1.75, -1}}},
		// Steps √2 and 1 of (2, 1) and (-1, 1), after each a division by the norm. The third margin is wide enough.
		{"alma", []handRow{{2, 1, 0, 2 * root, root}, {-1, 1, -root, (2*root - 1) / n, (root + 1) / n},
			{1, 1, 3 * root / n, (2*root - 1) / n, (root + 1) / n}}},
		// C/√k = 0.1 and 0.1/√2: no norm is over 1.
		{"alma:C=0.1", []handRow{{2, 1, 0, 0.2, 0.1}, {-1, 1, -0.1, 0.2 - 0.1/math.Sqrt2, 0.1 + 0.1/math.Sqrt2}}},
		{"dual", []handRow{{2, 1, 0, 2, 1}, {-1, 1, -1, 1, 2}, {-1, -1, 1, 2, 1}, {2, -1, 5, 0, 0}}},
		// With room for two the oldest goes: (2) at the third example, with its part of the bias.
		{"dual:budget=2", []handRow{{2, 1, 0, 2, 1}, {-1, 1, -1, 1, 2}, {-3, 1, -1, -4, 2}}},
		// As pa1:C=1, as averaged, and as both.
		{"dual:update=pa1", []handRow{{2, 1, 0, 0.4, 0.2}, {-1, 1, -0.2, -0.2, 0.8}, {-1, 1, 1, -0.2, 0.8}}},
		{"dual:update=pa1,C=0.1", []handRow{{2, 1, 0, 0.2, 0.1}, {-1, 1, -0.1, 0.1, 0.2}}},
		{"dual:predict=mean", []handRow{{2, 1, 0, 2, 1}, {-1, 1, -1, 1.5, 1.5}, {1, 1, 3, 4. / 3, 5. / 3},
			{1, 1, 3, 5. / 4, 7. / 4}}},
		{"dual:update=pa1,predict=mean", []handRow{{2, 1, 0, 0.4, 0.2}, {-1, 1, -0.2, 0.1, 0.5},
			{-1, 1, 0.4, 0, 0.6}}},
	} {
		m := newModel(t, c.learner, ScaleNone, 1)
		for i, row := range c.rows {
			x := []Feature{{Slot: 1, Print: 1, Value: row.x}}
			score, err := m.Predict(x)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := m.Prepare(row.label, 1); err != nil {
				t.Fatal(err)
			}
			m.Learn()
			if w, b := m.Explain(x)[0].Weight, m.Bias(); !close(score, row.score) || !close(w, row.w) ||
				!close(b, row.b) {
				t.Errorf("%s, example %d: score %v, then %v and %v, want %v, %v, %v", c.learner, i, score, w, b,
					row.score, row.w, row.b)
			}
		}
	}
}

func close(a, b float64) bool { return math.Abs(a-b) <= 1e-14*(1+math.Abs(b)) }

// TestVariancesByHand continues the second row of arow above.
func TestVariancesByHand(t *testing.T) {
	m := newModel(t, "arow", ScaleNone, 1)
	for _, v := range []float64{2, -1} {
		learnWeighted(t, m, example{x: []Feature{{Slot: 1, Print: 1, Value: v}}, label: 1}, 1)
	}
	got := m.method.(*arow).variances
	for i, want := range []float64{1, 11. / 39, 20. / 39} {
		if !close(got[i], want) {
			t.Errorf("variance %d is %v, want %v", i, got[i], want)
		}
	}
}

// TestPassiveAggressive: after a step that C does not bound, the example's margin is 1.
func TestPassiveAggressive(t *testing.T) {
	m := newModel(t, "pa", ScaleNone, 8)
	for _, e := range stream(17, 300, 6, 8) {
		step(t, m, e)
		if score, err := m.Predict(e.x); err != nil || float64(e.label)*score < 1-1e-9 && !doubled(e.x) {
			t.Fatalf("margin %v, %v after learning", float64(e.label)*score, err)
		}
	}
}

// doubled is whether two features share a slot: then the norm of x is not that of its features.
func doubled(x []Feature) bool {
	for i := range x {
		for j := range i {
			if x[i].Slot == x[j].Slot {
				return true
			}
		}
	}
	return false
}
