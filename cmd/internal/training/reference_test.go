package training

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// trainRow is what reference.py --train computes: rows of features and a label, null where there is none.
type trainRow struct {
	Set             string
	Rows            [][]*float64
	R, Margin, Bias float64
	Passes          int
	Updates         int64
	Weights         []float64
}

// TestTrainReference: training with --scale standard is what a program computes that has nothing in common with this
// one: statistics of the labelled rows first, each counted once, and then the perceptron on the scaled rows.
func TestTrainReference(t *testing.T) {
	text, err := os.ReadFile("../../../learner/testdata/train.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []trainRow
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range rows {
		t.Run(want.Set, func(t *testing.T) {
			var r Result
			s := settings(t)
			s.Scale = "standard"
			if err := train(t, s, want.csv(), &r); err != nil {
				t.Fatal(err)
			}
			near := func(what string, got, want float64) {
				if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
					t.Errorf("%s is %v, want %v", what, got, want)
				}
			}
			near("R", r.R, want.R)
			near("the margin", *r.Margin, want.Margin)
			near("the bias", r.Bias, want.Bias)
			for j, w := range want.Weights {
				near(fmt.Sprint("weight ", j), r.Weights[fmt.Sprint("x", j)], w)
			}
			if r.Passes != want.Passes || r.Updates != want.Updates || !r.Separated {
				t.Errorf("%d passes, %d updates, want %d, %d", r.Passes, r.Updates, want.Passes, want.Updates)
			}
		})
	}
}

// csv writes the rows as a file.
func (w *trainRow) csv() string {
	var b strings.Builder
	for j := range w.Weights {
		fmt.Fprintf(&b, "x%d,", j)
	}
	b.WriteString("label\n")
	for _, row := range w.Rows {
		for _, v := range row[:len(row)-1] {
			fmt.Fprintf(&b, "%v,", *v)
		}
		if label := row[len(row)-1]; label != nil {
			fmt.Fprintf(&b, "%v", *label)
		}
		b.WriteString("\n")
	}
	return b.String()
}
