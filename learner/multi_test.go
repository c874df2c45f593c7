package learner

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"rosenblatt/learner/metrics"
)

// multiExample is a labelled example of several classes.
type multiExample struct {
	x     []Feature
	label []byte
}

// readClasses reads a file with a header whose last column is the class.
func readClasses(t testing.TB, name string) (*dataset, []multiExample) {
	t.Helper()
	var data []byte
	if name == "digits" {
		data = gunzip(t, dataFile(t, "digits/digits.csv.gz"))
	} else {
		data = dataFile(t, "segment/segment.csv")
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	d := &dataset{slots: make(map[string]uint32)}
	var examples []multiExample
	header := rows[0]
	if name == "digits" { // it has none, but 64 pixels
		for i := range header {
			header[i] = strconv.Itoa(i)
		}
		again, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows[:1:1], again...)
	}
	for _, row := range rows[1:] {
		last := len(row) - 1
		e := multiExample{label: []byte(row[last])}
		for i, text := range row[:last] {
			e.x = append(e.x, d.feature(header[i], number(t, text)))
		}
		examples = append(examples, e)
	}
	return d, examples
}

func newMulti(t testing.TB, learner, scheme, scale string, bits int) *Multi {
	t.Helper()
	spec := MultiSpec{Spec: Spec{Bits: bits}}
	if err := errors.Join(ParseScheme(scheme, &spec), ParseScale(scale, &spec.Spec),
		ParseLearner(learner, &spec.Spec)); err != nil {
		t.Fatal(err)
	}
	m, err := NewMulti(spec)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// multiStep predicts, scores and learns one example, names and all. It returns the class, the bits of the score and
// whether any weights were to move.
func multiStep(t testing.TB, m *Multi, s *metrics.Multiclass, e multiExample) (class int, score uint64, updated bool) {
	t.Helper()
	class, value, err := m.Predict(e.x)
	if err != nil {
		t.Fatal(err)
	}
	if updated, err = m.Prepare(e.label, 1); err != nil {
		t.Fatal(err)
	}
	if s != nil {
		s.Add(class, m.Label(), m.Steps())
	}
	if m.Learn() {
		for _, f := range e.x {
			m.SetName(f.Slot, f.Print, nameOf(f.Print))
		}
	}
	return class, math.Float64bits(value), updated
}

// TestGoldenClasses compares with the rows of an independent program, see golden.md.
func TestGoldenClasses(t *testing.T) {
	for _, row := range []struct {
		set, scheme       string
		mistakes, updates int64
	}{
		{"digits", Direct, 205, 204}, {"digits", OVA, 247, 982}, {"digits", OVO, 192, 476},
		{"segment", Direct, 387, 386}, {"segment", OVA, 480, 1150}, {"segment", OVO, 382, 570},
	} {
		data, examples := readClasses(t, row.set)
		m, score := newMulti(t, "perceptron", row.scheme, ScaleStandard, data.bits()), new(metrics.Multiclass)
		for _, e := range examples {
			multiStep(t, m, score, e)
		}
		t.Logf("%s %s: %d mistakes, %d updates", row.set, row.scheme, score.Mistakes(), score.Updates())
		if !near(score.Mistakes(), row.mistakes, 2) || !near(score.Updates(), row.updates, 2) ||
			score.Examples() != int64(len(examples)) {
			t.Errorf("%s %s: %d mistakes and %d updates, want %d and %d", row.set, row.scheme,
				score.Mistakes(), score.Updates(), row.mistakes, row.updates)
		}
	}
}

// TestEveryLearnerClassifies runs all of them on digits: a learner whose step went the wrong way would not.
func TestEveryLearnerClassifies(t *testing.T) {
	data, examples := readClasses(t, "digits")
	for _, learner := range []string{"perceptron", "perceptron:rate=0.5,decay=0.001,l2=0.0001", "averaged",
		"averaged:window=500", "pa", "pa1:C=0.1", "pa2:C=0.1", "arow", "logistic",
		"dual:kernel=poly,budget=100"} {
		for _, scheme := range []string{Direct, OVA, OVO} {
			spec := MultiSpec{Spec: Spec{Scale: ScaleStandard, Bits: data.bits()}, Scheme: scheme}
			if err := ParseLearner(learner, &spec.Spec); err != nil {
				t.Fatal(err)
			}
			if spec.Validate() != nil {
				continue
			}
			m, score := newMulti(t, learner, scheme, ScaleStandard, data.bits()), new(metrics.Multiclass)
			for _, e := range examples {
				multiStep(t, m, score, e)
			}
			accuracy := score.Report().Accuracy.Value()
			t.Logf("%s %s: %.4f, %d updates", learner, scheme, accuracy, score.Updates())
			if accuracy < 0.8 && !strings.HasPrefix(learner, Dual) || accuracy < 0.6 {
				t.Errorf("%s %s: accuracy %v", learner, scheme, accuracy)
			}
		}
	}
}

func one(slot uint32, value float64) []Feature {
	return []Feature{{Slot: slot, Print: uint16(slot) + 1, Value: value}}
}

// TestFirstExamples works the conventions out by hand on two slots.
func TestFirstExamples(t *testing.T) {
	for _, scheme := range []string{Direct, OVA, OVO} {
		m := newMulti(t, "perceptron", scheme, ScaleNone, 1)
		class, score, err := m.Predict(one(0, 2))
		if class != -1 || score != 0 || err != nil || len(m.Scores()) != 0 {
			t.Errorf("%s: before any class: %d %v %v %v", scheme, class, score, m.Scores(), err)
		}
		updated, err := m.Prepare([]byte("a"), 1)
		if err != nil || updated != (scheme == OVA) || m.Label() != 0 {
			t.Errorf("%s: the first example: updated %v, label %d, %v", scheme, updated, m.Label(), err)
		}
		if len(m.Classes()) != 0 {
			t.Errorf("%s: a class before Learn", scheme)
		}
		m.Learn()
		if len(m.Classes()) != 1 || m.Classes()[0] != "a" || m.ClassOf([]byte("a")) != 0 ||
			m.ClassOf([]byte("b")) != -1 {
			t.Errorf("%s: classes %q", scheme, m.Classes())
		}
		multiStep(t, m, nil, multiExample{one(1, 3), []byte("b")})
		if class, _, _ := m.Predict(nil); class != 1 {
			t.Errorf("%s: the bias alone says %d", scheme, class)
		}
		want := map[string][]float64{
			Direct: {0, -3, -1, 0, 3, 1}, // b was mistaken for a
			OVA:    {2, -3, 0, 0, 3, 1},
			OVO:    {0, -3, -1, 0, 3, 1}, // a is the pair's positive side; b's is the same with the other sign
		}[scheme]
		var got []float64
		for c := range 2 {
			for _, p := range m.Explain(c, append(one(0, 1), one(1, 1)...)) {
				got = append(got, p.Weight)
			}
			got = append(got, m.Bias(c))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: weights %v, want %v", scheme, got, want)
				break
			}
		}
	}
}

// TestTies: of equal scores the class seen first wins, in votes too.
func TestTies(t *testing.T) {
	for _, scheme := range []string{Direct, OVA, OVO} {
		m := newMulti(t, "perceptron:update=mistake", scheme, ScaleNone, 4)
		for i, class := range []string{"a", "b", "c"} {
			multiStep(t, m, nil, multiExample{one(uint32(i), 1), []byte(class)})
		}
		for i := range m.separators {
			clear(m.separators[i].weights)
			m.separators[i].bias = 0
		}
		if class, _, _ := m.Predict(one(5, 1)); class != 0 {
			t.Errorf("%s: %d of %v", scheme, class, m.Scores())
		}
	}
	m := newMulti(t, "perceptron", OVO, ScaleNone, 4)
	for i, class := range []string{"a", "b", "c"} {
		multiStep(t, m, nil, multiExample{one(uint32(i), 1), []byte(class)})
	}
	m.separators[0].bias, m.separators[1].bias, m.separators[2].bias = 1, -1, 1 // a beats b, c beats a, b beats c
	for i := range m.separators {
		clear(m.separators[i].weights)
	}
	if class, votes, _ := m.Predict(one(5, 1)); class != 0 || votes != 1 {
		t.Errorf("a circle of votes: %d with %v of %v", class, votes, m.Scores())
	}
}

func TestTooManyClasses(t *testing.T) {
	for _, scheme := range []string{Direct, OVA, OVO} {
		m, err := NewMulti(MultiSpec{Spec: Spec{Bits: 4}, Scheme: scheme, MaxClasses: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, class := range []string{"a", "b", "a"} {
			multiStep(t, m, nil, multiExample{one(1, 1), []byte(class)})
		}
		before := snapMulti(m)
		if _, _, err := m.Predict(one(1, 1)); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Prepare([]byte("c"), 1); !errors.Is(err, ErrTooManyClasses) {
			t.Errorf("%s: %v", scheme, err)
		}
		if m.Learn() || len(m.Classes()) != 2 {
			t.Errorf("%s: it was learned", scheme)
		}
		same(t, before, snapMulti(m))
		multiStep(t, m, nil, multiExample{one(1, 1), []byte("b")})
	}
}
