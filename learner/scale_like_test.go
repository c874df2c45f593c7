package learner

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestScaleLike: a model that takes values from another one, which has scaled them already, has the same bits as one
// that does not, whatever the two have met: the same examples, others, fewer, none since its scaling was forgotten, a
// slot twice, or values that the other one has learned meanwhile.
func TestScaleLike(t *testing.T) {
	for _, scale := range []string{ScaleStandard, "standard:centre=always", "standard:half-life=50", "standard:clip=3",
		ScaleMaxAbs, ScaleNone} {
		r := rand.New(rand.NewPCG(38, 2))
		first := newModel(t, "arow", scale, 6)
		plainly, like := newModel(t, "pa1", scale, 6), newModel(t, "pa1", scale, 6)
		predict := func(m *Model, x []Feature) float64 {
			score, err := m.Predict(x)
			if err != nil {
				t.Fatal(err)
			}
			return score
		}
		learn := func(x []Feature, label int8, models ...*Model) {
			for _, m := range models {
				if _, err := m.Prepare(label, 1); err != nil {
					t.Fatal(err)
				}
				m.Learn()
			}
		}
		taken := 0
		for i := range 3000 {
			x, label := someFeatures(r), int8(1-2*r.IntN(2))
			predict(first, x)
			switch r.IntN(20) {
			case 0: // the other one has learned more
				learn(x, label, first)
			case 1: // as much, but not the same
				y, z := someFeatures(r), someFeatures(r)
				predict(first, y)
				learn(y, label, first)
				predict(plainly, z)
				predict(like, z)
				learn(z, label, plainly, like)
				predict(first, x)
			case 2:
				predict(first, someFeatures(r))
			case 3: // it has learned it
				learn(x, label, first)
				predict(plainly, x)
				predict(like, x)
				learn(x, label, plainly, like)
			case 4:
				for _, m := range []*Model{first, plainly, like} {
					m.ForgetScaling()
				}
			}
			like.ScaleLike(first.Scales())
			if a, b := predict(plainly, x), predict(like, x); a != b {
				t.Fatalf("%s: example %d: score %v, taken from another model %v", scale, i, a, b)
			}
			if probe := slices.Clone(x); like.scaler.scaledLike(&first.scaler, probe) {
				taken++
			}
			predict(first, x)
			learn(x, label, first, plainly, like)
		}
		if columns, state := contentOf(plainly); !sameContent(like, columns, state) {
			t.Errorf("%s: the models differ at the end", scale)
		}
		t.Logf("%s: %d of 3000 taken", scale, taken)
	}
}

func sameContent(m *Model, columns map[string][]uint64, state any) bool {
	own, is := contentOf(m)
	return reflect.DeepEqual(own, columns) && reflect.DeepEqual(is, state)
}

func someFeatures(r *rand.Rand) []Feature {
	x := make([]Feature, 1+r.IntN(6))
	for i := range x {
		slot := r.IntN(10)
		x[i] = Feature{Slot: uint32(slot), Print: uint16(slot + 1), Kind: Numeric, Value: float64(r.IntN(5)) - 1}
		if slot == 9 {
			x[i].Kind, x[i].Value = Indicator, 1
		}
	}
	return x
}
