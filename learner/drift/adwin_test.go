package drift_test

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/learner/datasets"
	"rosenblatt/learner/drift"
)

// riverRow is what learner/testdata/drift.py says of a stream.
type riverRow struct {
	Stream    string
	Backwards bool
	Examples  int
	Mistakes  int
	Bits      []byte // of the mistakes
	Detected  []struct {
		Delta float64
		Clock int
		Costs bool
		At    []int64
	}
}

// TestRiver holds the detector against River's, at the examples of all changes: of mistakes, forwards and backwards,
// and of mistakes that cost different amounts.
func TestRiver(t *testing.T) {
	text, err := os.ReadFile("../testdata/drift.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []riverRow
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	bits := map[string][]byte{}
	for _, row := range rows {
		if !row.Backwards {
			bits[row.Stream] = row.Bits
		}
		t.Run(row.Stream, func(t *testing.T) {
			mistakes := row.unpack(bits[row.Stream])
			if row.Stream == "elec2" {
				mistakes = mistakesOnElec2(t)
			}
			if n := sum(mistakes); len(mistakes) != row.Examples || n != float64(row.Mistakes) {
				t.Fatalf("%v mistakes in %d examples, want %d in %d", n, len(mistakes), row.Mistakes, row.Examples)
			}
			if row.Backwards {
				slices.Reverse(mistakes)
			}
			for _, want := range row.Detected {
				d := drift.New(drift.Spec{Delta: want.Delta, Clock: want.Clock})
				if got := detections(t, &d, mistakes, want.Costs); !slices.Equal(got, want.At) {
					t.Errorf("%+v: detected at %v", want, got)
				}
			}
		})
	}
	if len(rows) != 10 {
		t.Errorf("%d rows", len(rows))
	}
}

func (r *riverRow) unpack(bits []byte) (mistakes []float64) {
	for i := range min(r.Examples, 8*len(bits)) {
		mistakes = append(mistakes, float64(bits[i/8]>>(i%8)&1))
	}
	return mistakes
}

func sum(values []float64) (n float64) {
	for _, x := range values {
		n += x
	}
	return n
}

// detections returns the examples of all changes. Every 5,000 examples a copy goes on that was saved and loaded.
func detections(t *testing.T, d *drift.Detector, mistakes []float64, costs bool) (at []int64) {
	for i, x := range mistakes {
		if costs && i%5 >= 2 {
			x *= 0.05
		}
		if d.Add(x) {
			latest, ok := d.Latest()
			if !ok || latest.At != int64(i)+1 {
				t.Errorf("%+v, at %d", latest, i+1)
			}
			at = append(at, latest.At)
		}
		if i%5000 == 4999 {
			d = saved(t, d)
		}
	}
	if d.Changes() != int64(len(at)) || d.Seen() != int64(len(mistakes)) {
		t.Errorf("%d changes of %d examples", d.Changes(), d.Seen())
	}
	return at
}

func saved(t *testing.T, d *drift.Detector) *drift.Detector {
	t.Helper()
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	loaded := new(drift.Detector)
	if err := json.Unmarshal(text, loaded); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if again, err := json.Marshal(loaded); err != nil || string(again) != string(text) {
		t.Errorf("%s: loaded is %s, %v", text, again, err)
	}
	return loaded
}

// mistakesOnElec2 are those of a perceptron without scaling.
func mistakesOnElec2(t *testing.T) (mistakes []float64) {
	f, err := os.Open(datasets.Path(t, "elec2/electricity.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	m, err := learner.New(learner.Spec{Learner: learner.Perceptron, Scale: learner.ScaleNone, Bits: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		var x []learner.Feature
		for i, cell := range row[:8] {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			x = append(x, learner.Feature{Slot: uint32(i), Print: uint16(i) + 1, Value: v})
		}
		label := int8(-1)
		if row[8] == "UP" {
			label = 1
		}
		score, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Prepare(label, 1); err != nil {
			t.Fatal(err)
		}
		m.Learn()
		mistakes = append(mistakes, math.Abs(float64(learner.Sign(score)-label))/2)
	}
	return mistakes
}
