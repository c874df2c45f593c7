package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"rosenblatt/learner/metrics"
)

// TestMistakesByLabel: of classes, a line has those with most mistakes, and the JSON has all.
func TestMistakesByLabel(t *testing.T) {
	r := &Report{Macro: true, Learners: []Learner{{Report: metrics.Report{Row: metrics.Row{Name: "pa1"}}}}}
	for i := range 8 {
		r.Learners[0].Classes = append(r.Learners[0].Classes, Class{Name: fmt.Sprint("c", i), Number: i,
			Labelled: 10, Right: float64(10 - i)})
	}
	want := "pa1: label c7: 7 of 10 wrong, label c6: 6 of 10 wrong, label c5: 5 of 10 wrong, " +
		"label c4: 4 of 10 wrong, label c3: 3 of 10 wrong, label c2: 2 of 10 wrong, 2 more\n"
	if got := r.mistakes(); got != want {
		t.Errorf("%q", got)
	}
	var d struct {
		Learners []struct{ ByLabel []labelCount }
	}
	if err := json.Unmarshal([]byte(written(t, r.JSON)), &d); err != nil || len(d.Learners[0].ByLabel) != 8 ||
		d.Learners[0].ByLabel[3] != (labelCount{"c3", 10, 3}) {
		t.Errorf("%+v, %v", d, err)
	}
	two := sample(1)
	if text := written(t, two.JSON); !strings.Contains(text, `"label": "DOWN",`) {
		t.Error(text)
	}
	score := metrics.Report{Row: metrics.Row{}}
	score.Confusion = metrics.Confusion{TruePositive: 3, FalseNegative: 1, TrueNegative: 5}
	if got := Mistakes([2]string{"DOWN", "UP"}, &score, nil, nil); got !=
		"label DOWN: 0 of 5 wrong, label UP: 1 of 4 wrong" {
		t.Errorf("%q", got)
	}
	confusion := []metrics.ConfusionCount{{Label: 0, Prediction: 1, Count: 2}, {Label: 1, Prediction: 1, Count: 7}}
	if got := Mistakes([2]string{}, &metrics.Report{}, []string{"b", "a"}, confusion); got !=
		"label a: 0 of 7 wrong, label b: 2 of 2 wrong" {
		t.Errorf("%q", got)
	}
}
