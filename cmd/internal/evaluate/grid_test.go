package evaluate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	for _, row := range []struct {
		text string
		want []string // nil: an error
	}{
		{"pa1:C=1", []string{"pa1:C=1"}},
		{"pa1:C={0.01,0.1,1}", []string{"pa1:C=0.01", "pa1:C=0.1", "pa1:C=1"}},
		{"{pa1,pa2}:C={1,2}", []string{"pa1:C=1", "pa1:C=2", "pa2:C=1", "pa2:C=2"}},
		{"pa1:C={1}", []string{"pa1:C=1"}},
		{"pa1:C={1", nil},
		{"pa1:C=1}", nil},
		{"pa1:C={1,{2}}", nil},
		{"pa1:C={1}}", nil},
		{strings.Repeat("{a,b}", 9), nil}, // 512
	} {
		got, err := expand(row.text)
		if !slices.Equal(got, row.want) || (err == nil) != (row.want != nil) {
			t.Errorf("%s: %q, %v, want %q", row.text, got, err, row.want)
		}
	}
}

// drifting are events whose label turns around halfway.
func drifting(n int) string {
	var b strings.Builder
	for i := range n {
		x := i*7%11 - 5
		label := x > 0 != (i >= n/2)
		fmt.Fprintf(&b, `{"label":%v,"x":%d,"y":%d}`+"\n", label, x, i%3)
	}
	return b.String()
}

type gridRow struct {
	Name                string
	Mistakes, Updates   int64
	Accuracy, AUC, Bias float64
	Last                struct{ Accuracy, LogLoss float64 }
}

func gridRows(t *testing.T, s *Settings, stdin string) []gridRow {
	t.Helper()
	s.Format, s.JSON = "json", "-"
	out, notes, err := run(t, s, stdin, "format")
	if err != nil {
		t.Fatal(err, notes)
	}
	var r struct{ Learners []gridRow }
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	return r.Learners
}

// TestGrid: every learner of a grid has the figures that it has alone, and the best of the last events is first.
func TestGrid(t *testing.T) {
	events := drifting(4000)
	s := settings(t, "-")
	s.Learner = []string{"logistic:rate={0.01,0.1,1}", "pa1:C={0.01,1} perceptron"}
	rows := gridRows(t, s, events)
	if len(rows) != 6 {
		t.Fatalf("%+v", rows)
	}
	if !slices.IsSortedFunc(rows, func(a, b gridRow) int { return int(1e6 * (b.Last.Accuracy - a.Last.Accuracy)) }) {
		t.Errorf("not sorted by the last accuracy: %+v", rows)
	}
	for _, row := range rows {
		alone := settings(t, "-")
		alone.Learner = []string{row.Name}
		if got := gridRows(t, alone, events); len(got) != 1 || got[0] != row {
			t.Errorf("%+v alone, %+v in the grid", got, row)
		}
	}
}

// TestSort: the best learner is first, of a grid the one that is best now.
func TestSort(t *testing.T) {
	events := drifting(4000)
	for learners, before := range map[string]func(a, b gridRow) bool{
		"logistic:rate=0.01 logistic:rate=1 pa1:C=0.01 perceptron": func(a, b gridRow) bool {
			return a.Accuracy >= b.Accuracy
		},
		"logistic:rate={0.01,1} pa1:C=0.01 perceptron": func(a, b gridRow) bool {
			return a.Last.Accuracy >= b.Last.Accuracy
		},
	} {
		s := settings(t, "-")
		s.Learner = []string{learners}
		rows := gridRows(t, s, events)
		for i := range rows[1:] {
			if !before(rows[i], rows[i+1]) {
				t.Errorf("%q: %+v is before %+v", learners, rows[i], rows[i+1])
			}
		}
	}
	s := settings(t, "-")
	s.Learner = []string{"pa1:C={1, 2}", strings.Repeat("perceptron ", mostLearners+1)}
	_, _, err := run(t, s, "")
	for _, want := range []string{"pa1:C={1,: a grid is written", "learners: want 256 or fewer"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
