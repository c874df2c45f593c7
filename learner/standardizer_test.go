package learner

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// newScaled makes a perceptron with a way of scaling as a user writes it.
func newScaled(t testing.TB, scale string) *Model {
	t.Helper()
	spec := Spec{Bits: 3}
	if err := ParseScale(scale, &spec); err != nil {
		t.Fatal(err)
	}
	m, err := New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// scales learns the values of one feature and returns each as scaled.
func scales(t testing.TB, m *Model, values ...float64) (scaled []float64) {
	t.Helper()
	for _, v := range values {
		step(t, m, example{x: []Feature{{Slot: 1, Print: 1, Value: v}}, label: 1})
		scaled = append(scaled, m.view.x[0].Value)
	}
	return scaled
}

// faded scales the last of xs by all of them, in two passes over their weights.
func faded(halfLife float64, xs []float64) float64 {
	weights, sum, mean, variance := make([]float64, len(xs)), 0.0, 0.0, 0.0
	for i, x := range xs {
		weights[i] = math.Exp2(-float64(len(xs)-1-i) / halfLife)
		sum += weights[i]
		mean += weights[i] * x
	}
	mean /= sum
	for i, x := range xs {
		variance += weights[i] * (x - mean) * (x - mean) / sum
	}
	if variance < 1e-20 {
		return 0
	}
	return (xs[len(xs)-1] - mean) / math.Sqrt(variance)
}

// TestHalfLife compares with weighted sums over all values so far.
func TestHalfLife(t *testing.T) {
	for _, halfLife := range []float64{1, 7.5, 100} {
		r := rand.New(rand.NewPCG(41, 1))
		m := newScaled(t, "standard:half-life="+formatNumber(halfLife))
		var xs []float64
		for i := range 400 {
			x := r.NormFloat64() + float64(i/100)*3
			xs = append(xs, x)
			if got, want := scales(t, m, x)[0], faded(halfLife, xs); math.Abs(got-want) > 1e-9 {
				t.Fatalf("half-life %v, value %d: %v, want %v", halfLife, i, got, want)
			}
		}
	}
}

// TestHalfLifeFollows: when a feature's level moves, the statistics follow within some half-lives.
func TestHalfLifeFollows(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 1))
	last := map[string]float64{}
	for _, scale := range []string{"standard", "standard:half-life=50"} {
		m := newScaled(t, scale)
		for i := range 6000 {
			last[scale] = scales(t, m, r.NormFloat64()+100*float64(i/5000))[0]
		}
	}
	if last["standard"] < 1.5 || math.Abs(last["standard:half-life=50"]) > 4 {
		t.Errorf("the last values are scaled to %v", last)
	}
	m := newScaled(t, "standard:half-life=50")
	values := scales(t, m, slices.Repeat([]float64{0, 2}, 500)...)
	if got := scales(t, m, append(slices.Repeat([]float64{100, 102}, 500), 100)...); math.Abs(got[1000]+1) > 0.02 ||
		math.Abs(values[999]-1) > 0.02 {
		t.Errorf("two values one deviation from their mean are scaled to %v and %v", values[999], got[1000])
	}
}

// TestClipByHand: of 0, 2, 2, 0 the mean is 1 and the deviation 1, so with clip=2 a 9 counts as 3. Then the mean is 7/5
// and the sum of squares 36/5.
func TestClipByHand(t *testing.T) {
	m := newScaled(t, "standard:clip=2")
	got := scales(t, m, 0, 2, 2, 0, 9)
	// The first 2 is held back. With the second one, 0 is the value that differs; it comes again.
	for i, want := range []float64{0, 1, 0, -1, (3 - 7./5) / math.Sqrt(36./25)} {
		if !close(got[i], want) {
			t.Errorf("value %d is scaled to %v, want %v", i, got[i], want)
		}
	}
	if now := m.scaler.load(1); now.count != 5 || !close(now.mean, 7./5) || !close(now.m2, 36./5) {
		t.Errorf("the moments are %v", now)
	}
}

// TestOneOutlier puts one value of 1e30 at any place of a stream, beginnings without variation included. With a clip
// the values long after are scaled about as without it; else they are all the same.
func TestOneOutlier(t *testing.T) {
	noise := func(r *rand.Rand, i int) float64 { return 5 + r.NormFloat64() }
	constant := func(r *rand.Rand, i int) float64 {
		if i < 40 {
			return 5
		}
		return 5 + r.NormFloat64()
	}
	counts := func(r *rand.Rand, i int) float64 { return float64(max(0, r.IntN(6)-3)) }
	for name, value := range map[string]func(*rand.Rand, int) float64{"noise": noise, "constant": constant,
		"counts": counts} {
		for _, scale := range []string{"standard:clip=5", "standard:clip=5,half-life=200"} {
			for _, outlier := range []float64{1e30, -1e30} {
				for _, at := range []int{0, 1, 2, 3, 5, 20, 39, 40, 41, 300} {
					with, without, plain := newScaled(t, scale), newScaled(t, scale), newScaled(t, "standard")
					r := rand.New(rand.NewPCG(43, 1))
					most, crushed := 0.0, 0.0
					for i := range 1500 {
						v := value(r, i)
						if i == at {
							if got := scales(t, with, outlier)[0]; math.Abs(got) > 5 {
								t.Fatalf("the outlier is scaled to %v", got)
							}
							scales(t, plain, outlier)
						}
						a, b, c := scales(t, with, v)[0], scales(t, without, v)[0], scales(t, plain, v)[0]
						if i >= 1000 {
							most, crushed = max(most, math.Abs(a-b)), max(crushed, math.Abs(c))
						}
					}
					if most > 0.25 || crushed > 0.1 {
						t.Errorf("%s, %s, %v at %d: values differ by up to %v, without a clip they are at most %v",
							name, scale, outlier, at, most, crushed)
					}
				}
			}
		}
	}
}

// TestClipScalesAlike: where nothing is far out, a clip changes no bit but of the values before a feature has varied.
func TestClipScalesAlike(t *testing.T) {
	clip, plain := newScaled(t, "standard:clip=6"), newScaled(t, "standard")
	r := rand.New(rand.NewPCG(44, 1))
	for i := range 300 {
		v := r.Float64()
		if i < 3 {
			v = []float64{0.1, 0.5, 0.8}[i]
		}
		a, b := scales(t, clip, v)[0], scales(t, plain, v)[0]
		if i > 2 && a != b {
			t.Fatalf("value %d is scaled to %v, without a clip to %v", i, a, b)
		}
	}
}

// TestScaleSurvivesASave goes on exactly, from before a feature has varied on, and where a slot occurs twice.
func TestScaleSurvivesASave(t *testing.T) {
	for _, scale := range []string{"standard:half-life=20", "standard:clip=3", "standard:half-life=5,clip=2"} {
		for _, n := range []int{0, 1, 2, 3, 4, 50} {
			m := newScaled(t, scale)
			examples := stream(45, 200, 8, 3)
			for _, e := range examples[:n] {
				step(t, m, e)
			}
			loaded := saveAndLoad(t, m)
			for i, e := range examples[n:] {
				if step(t, m, e) != step(t, loaded, e) {
					t.Fatalf("%s: another score, %d examples on", scale, i)
				}
			}
			if !reflect.DeepEqual(snap(m), snap(loaded)) {
				t.Errorf("%s: the models ended differently", scale)
			}
		}
	}
}

// TestClipTakenAway: a model whose clip is taken away forgets what it holds back.
func TestClipTakenAway(t *testing.T) {
	m := newScaled(t, "standard:clip=3")
	scales(t, m, 7, 7, 7, 9)
	if got := m.scaler.load(1); got != (moments{-3, 7, 9}) {
		t.Fatalf("%v", got)
	}
	plain := newScaled(t, "standard")
	copy(plain.prints, m.prints)
	copy(plain.scaler.stats, m.scaler.stats)
	if err := plain.Restore(m.State(), m.names.text); err != nil || plain.scaler.load(1) != (moments{3, 7, 0}) {
		t.Errorf("%v, %v", plain.scaler.load(1), err)
	}
}

// TestHostileMoments: what is held back differs from the others and is in range.
func TestHostileMoments(t *testing.T) {
	for _, held := range []moments{{-1, 2, 2}, {-1, 2, 2e30}, {-1, 2, math.NaN()}, {math.Inf(-1), 2, 3},
		{-1, math.NaN(), 3}, {-1 << 60, 2, 3}} {
		m := newScaled(t, "standard:clip=3")
		m.scaler.store(1, held)
		if err := m.Restore(State{}, nil); err == nil {
			t.Errorf("%v: accepted", held)
		}
	}
}

func TestParseScale(t *testing.T) {
	for text, want := range map[string]Spec{
		"none": {Scale: ScaleNone}, "maxabs": {Scale: ScaleMaxAbs}, "standard": {Scale: ScaleStandard},
		"standard:clip=5":               {Scale: ScaleStandard, Clip: 5},
		"standard:half-life=100,clip=4": {Scale: ScaleStandard, HalfLife: 100, Clip: 4},
		"standard:centre=always":        {Scale: ScaleStandard, Centre: CentreAlways},
	} {
		var s Spec
		if err := ParseScale(text, &s); err != nil || s != want || s.ScaleText() != text || s.Validate() != nil {
			t.Errorf("%s: %+v, %v, %s", text, s, err, s.ScaleText())
		}
	}
	for _, text := range []string{"", "log", "maxabs:clip=3", "none:", "standard:", "standard:clip", "standard:clip=1",
		"standard:clip=NaN", "standard:half-life=0", "standard:half-life=0.5", "standard:half-life=inf",
		"standard:clip=3,clip=4", "standard:rate=1", "standard:centre=never", "maxabs:centre=always"} {
		s := Spec{Clip: 9}
		if err := ParseScale(text, &s); err == nil || s != (Spec{Clip: 9}) {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
	var half Spec
	if err := ParseScale("standard:centre=half", &half); err != nil || half.ScaleText() != "standard" {
		t.Errorf("%+v, %v", half, err)
	}
	if (Spec{Clip: 3}).Validate() == nil || (Spec{Centre: CentreAlways}).Validate() == nil ||
		(Spec{Scale: ScaleStandard, HalfLife: -1}).Validate() == nil {
		t.Error("a specification out of range is valid")
	}
}
