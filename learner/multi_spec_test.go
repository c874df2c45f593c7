package learner

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestLabelsThatAreNoClass(t *testing.T) {
	m := newMulti(t, "perceptron", OVA, ScaleNone, 4)
	for _, label := range []string{"\xff", strings.Repeat("x", MaxClassBytes+1)} {
		if _, _, err := m.Predict(one(1, 1)); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Prepare([]byte(label), 1); !errors.Is(err, errClass) {
			t.Errorf("%q: %v", label, err)
		}
		m.Learn()
	}
	if len(m.Classes()) != 0 {
		t.Error(m.Classes())
	}
}

// TestPassiveAggressiveByHand has two classes and one feature of value 1, so n = 2 and (x, 1) counts twice.
func TestPassiveAggressiveByHand(t *testing.T) {
	for _, row := range []struct {
		learner string
		want    float64 // l is 1
	}{{"pa", 0.25}, {"pa1:C=0.1", 0.1}, {"pa1:C=1", 0.25}, {"pa2:C=0.5", 0.2}} {
		m := newMulti(t, row.learner, Direct, ScaleNone, 2)
		multiStep(t, m, nil, multiExample{one(0, 1), []byte("a")})
		multiStep(t, m, nil, multiExample{one(1, 1), []byte("b")})
		if a, b := m.Bias(0), m.Bias(1); a != -row.want || b != row.want {
			t.Errorf("%s: biases %v and %v, want %v", row.learner, a, b, row.want)
		}
		if _, _, updated := multiStep(t, m, nil,
			multiExample{one(1, 1), []byte("b")}); updated != (row.learner != "pa" && row.learner != "pa1:C=1") {
			t.Errorf("%s: once a margin of 1 is there, nothing moves: %v", row.learner, updated)
		}
	}
}

func TestProbabilityOfAClass(t *testing.T) {
	m := newMulti(t, "logistic", OVA, ScaleNone, 4)
	if _, there := m.Probability(); there {
		t.Error("a probability before any example")
	}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 300 {
		c := r.IntN(3)
		multiStep(t, m, nil, multiExample{one(uint32(c), 1), []byte(strconv.Itoa(c))})
		class, _, _ := m.Predict(one(uint32(c), 1))
		p, there := m.Probability()
		sum := 0.0
		for _, s := range m.Scores() {
			sum += 1 / (1 + math.Exp(-s))
		}
		if want := 1 / (1 + math.Exp(-m.Scores()[class])) / sum; !there || math.Abs(p-want) > 1e-12 {
			t.Fatalf("example %d: %v, want %v", i, p, want)
		}
		all := 0.0
		for class := range m.Classes() {
			p, _ := m.ProbabilityOf(class)
			all += p
		}
		if math.Abs(all-1) > 1e-12 {
			t.Fatalf("example %d: the classes' chances add up to %v", i, all)
		}
		if _, there := m.ProbabilityOf(len(m.Classes())); there {
			t.Fatal("a class that is not known has a chance")
		}
	}
	for _, other := range []struct{ learner, scheme string }{{"logistic", OVO}, {"perceptron", OVA}} {
		m := newMulti(t, other.learner, other.scheme, ScaleNone, 4)
		multiStep(t, m, nil, multiExample{one(0, 1), []byte("a")})
		if _, _, err := m.Predict(one(0, 1)); err != nil {
			t.Fatal(err)
		}
		if _, there := m.Probability(); there {
			t.Errorf("%v gives a probability", other)
		}
	}
}

func TestMultiSpec(t *testing.T) {
	for _, row := range []struct {
		spec MultiSpec
		want string // in the error; empty: none
	}{
		{MultiSpec{}, ""},
		{MultiSpec{Scheme: OVO, MaxClasses: MostClassesOVO}, ""},
		{MultiSpec{Scheme: OVO, MaxClasses: MostClassesOVO + 1}, "max classes 151: want 1 to 150 with ovo"},
		{MultiSpec{MaxClasses: -1}, "max classes -1"},
		{MultiSpec{Scheme: "tree"}, `scheme "tree": want direct, ova or ovo`},
		{MultiSpec{Spec: Spec{Learner: AROW}}, "arow has no direct form"},
		{MultiSpec{Spec: Spec{Learner: Dual}}, "works with ova and ovo"},
		{MultiSpec{Spec: Spec{Learner: Logistic}, Scheme: OVA}, ""},
		{MultiSpec{Spec: Spec{Threshold: 1}}, "a threshold works with ova and ovo"},
		{MultiSpec{Spec: Spec{PositiveWeight: 2}, Scheme: OVO}, "only ova"},
		{MultiSpec{Spec: Spec{PositiveWeight: 2}, Scheme: OVA}, ""},
		{MultiSpec{Spec: Spec{Learner: "x"}}, "unknown learner"},
	} {
		err := row.spec.Validate()
		_, made := NewMulti(row.spec)
		if (err == nil) != (row.want == "") || (made == nil) != (err == nil) || err != nil &&
			!strings.Contains(err.Error(), row.want) {
			t.Errorf("%+v: %v, %v, want %q", row.spec, err, made, row.want)
		}
	}
	if got := (MultiSpec{Scheme: OVO}).WithDefaults(); got.MaxClasses != DefaultMaxClassesOVO ||
		got.String() != "perceptron ovo" {
		t.Errorf("%+v %v", got, got)
	}
}
