package batch

import (
	"math/rand/v2"
	"slices"
	"testing"

	"rosenblatt/learner"
)

// naive goes through dense rows until none is mistaken. pad is the value of the bias's feature.
func naive(examples []Example, z []float64, pad float64, passes int) (weights []float64, updates int64) {
	for range passes {
		clean := true
		for _, e := range examples {
			s := z[len(z)-1] * pad
			for _, t := range e.X {
				s += z[t.Index] * t.Value
			}
			if (s >= 0) == (e.Label > 0) {
				continue
			}
			clean = false
			updates++
			for _, t := range e.X {
				z[t.Index] += float64(e.Label) * t.Value
			}
			z[len(z)-1] += float64(e.Label) * pad
		}
		if clean {
			break
		}
	}
	return z, updates
}

// TestUpdateOnMistake: the corrections are those of a naive loop that corrects wrong predictions alone, in all
// algorithms. (3,3)+, (4,3)+ and (1,1)- end with w = (1,1), b = -3 as by the threshold.
func TestUpdateOnMistake(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for i := range 20 {
		examples, dimensions := three()
		if i > 0 {
			dimensions = 2 + r.IntN(4)
			examples, _ = cloud(r, 40, dimensions, 0.02)
		}
		for _, unbiased := range []bool{false, true} {
			pad := 1.0
			if unbiased {
				pad = 0
			}
			want, updates := naive(examples, make([]float64, dimensions+1), pad, 300)
			for _, algorithm := range []string{Primal, PLA, Dual} {
				got := train(t, examples, dimensions, Options{Algorithm: algorithm, Update: OnMistake,
					Unbiased: unbiased, MaxPasses: 300, Keep: Last})
				z := append(slices.Clone(got.Weights), got.Bias)
				if got.Updates != updates || !slices.EqualFunc(z, want, near) {
					t.Errorf("%d, %s, unbiased %v: %d updates, %v and %v, want %d and %v", i, algorithm, unbiased,
						got.Updates, got.Weights, got.Bias, updates, want)
				}
				if got.Stopped == Separated && got.Mistakes > 0 {
					t.Errorf("%d, %s: no example is left to correct, %d are mistaken", i, algorithm, got.Mistakes)
				}
			}
		}
	}
	examples, dimensions := three()
	got := train(t, examples, dimensions, Options{Update: OnMistake})
	if !slices.Equal(got.Weights, []float64{1, 1}) || got.Bias != -3 || !got.Separated || got.Updates != 7 {
		t.Errorf("%+v", got)
	}
}

// TestMistakesAndThePlane: examples of score 0 that are predicted +1 and are positive need no correction; they are not
// separated.
func TestMistakesAndThePlane(t *testing.T) {
	examples, dimensions := points([]float64{1, 1}, []float64{2, 1})
	got := train(t, examples, dimensions, Options{Update: OnMistake})
	if got.Stopped != Separated || got.Updates != 0 || got.Mistakes != 0 || got.Separated || got.OnPlane != 2 {
		t.Errorf("%+v", got)
	}
}

// TestUnbiased: without a bias and with a feature that is always 1 a run does what it does with a bias, margins and R
// included; for the kernels that feature adds 1 to the inner product.
func TestUnbiased(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for range 10 {
		examples, _ := cloud(r, 30, 3, 0.05)
		padded := make([]Example, len(examples))
		for i, e := range examples {
			padded[i] = Example{Label: e.Label, X: append(slices.Clone(e.X), Term{3, 1})}
		}
		for _, algorithm := range []string{Primal, PLA, Dual} {
			with := train(t, examples, 3, Options{Algorithm: algorithm})
			without := train(t, padded, 4, Options{Algorithm: algorithm, Unbiased: true})
			if !slices.EqualFunc(append(slices.Clone(with.Weights), with.Bias), without.Weights, near) ||
				without.Bias != 0 || !near(with.Margin, without.Margin) || !near(with.R, without.R) ||
				with.Updates != without.Updates || !near(with.Maximal.Upper, without.Maximal.Upper) {
				t.Errorf("%s: %+v\n%+v", algorithm, with, without)
			}
		}
		with := train(t, examples, 3, Options{Algorithm: Dual, Kernel: poly(1, 0)})
		without := train(t, examples, 3, Options{Algorithm: Dual, Kernel: poly(1, 1), Unbiased: true})
		if !slices.Equal(with.Counts, without.Counts) || without.Bias != 0 {
			t.Errorf("counts %v and %v", with.Counts, without.Counts)
		}
	}
	examples, dimensions := points([]float64{0, 1}, []float64{0, -1})
	got := train(t, examples, dimensions, Options{Unbiased: true, MaxPasses: 3})
	if got.Separated || got.R != 0 || got.Maximal.Lower != 0 || got.Bias != 0 {
		t.Errorf("of examples without values: %+v", got)
	}
}

// TestVariantsOutOfRange: what does not go together is refused.
func TestVariantsOutOfRange(t *testing.T) {
	for _, o := range []Options{{Update: "never"}, {Update: OnMistake, Threshold: 1}, {Unbiased: true, StartBias: 1},
		{Update: learner.UpdateMistake, Unbiased: true, StartBias: -1}} {
		if o.Validate() == nil {
			t.Errorf("%+v is valid", o)
		}
	}
	examples, dimensions := three()
	if _, err := Train(examples, dimensions, Options{Out: []bool{true}}); err == nil {
		t.Error("examples of which is not said whether they are held out")
	}
}
