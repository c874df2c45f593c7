package metrics

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

type pairedRow struct {
	Cost       [2]float64
	Labels     string
	First      string
	Second     string
	Examples   int64
	Blocks     int
	Difference float64
	Low, High  *float64
}

func readPaired(t *testing.T) (rows struct {
	Student []float64
	Rows    []pairedRow
}) {
	t.Helper()
	raw, err := os.ReadFile("../testdata/paired.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// difference is that of an example of a row.
func (r *pairedRow) difference(i int) (d Difference) {
	by := int64(r.First[i]) - int64(r.Second[i])
	if r.Labels[i] == '1' {
		d.FalseNegatives = by
	} else {
		d.FalsePositives = by
	}
	return d
}

// TestPairedRows: means and intervals are those of scipy.
func TestPairedRows(t *testing.T) {
	t.Parallel()
	all := readPaired(t)
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(b)) }
	for i, q := range all.Student {
		if !near(student[i], q) {
			t.Errorf("%d degrees of freedom: %v, want %v", i+31, student[i], q)
		}
	}
	known := 0
	for n, r := range all.Rows {
		var p Paired
		for i := range r.Labels {
			p.Add(r.difference(i))
			if i == len(r.Labels)/2 { // what is saved goes on to the same
				text, err := json.Marshal(p.State())
				if err != nil {
					t.Fatal(err)
				}
				var s PairedState
				if err := json.Unmarshal(text, &s); err != nil {
					t.Fatal(err)
				}
				if p = (Paired{}); p.Load(s) != nil {
					t.Fatalf("row %d: %v", n, p.Load(s))
				}
			}
		}
		got := p.Compare(Cost{r.Cost[0], r.Cost[1]})
		if got.Examples != r.Examples || got.Blocks != r.Blocks || !near(got.Difference, r.Difference) ||
			got.Known != (r.Low != nil) || got.Known && (!near(got.Low, *r.Low) || !near(got.High, *r.High)) {
			t.Errorf("row %d: %+v, want %+v", n, got, r)
		}
		if got.Known {
			known++
		}
		if second, first := got.Better(); second != (got.Known && *r.Low > 0) || first != (got.Known && *r.High < 0) {
			t.Errorf("row %d: better %t, %t of %+v", n, second, first, got)
		}
	}
	if known < 20 {
		t.Errorf("%d rows with an interval", known)
	}
}

// TestHostilePaired: a state that no examples lead to is refused.
func TestHostilePaired(t *testing.T) {
	t.Parallel()
	full := make([]Difference, 40)
	for n, s := range []PairedState{
		{Size: 3, Blocks: full}, {Size: 2, Blocks: full, In: 2}, {Size: 2, Blocks: full, In: -1},
		{Size: 2, Blocks: full[:31]}, {Size: 1, Blocks: make([]Difference, 64)}, {In: 1},
		{Size: 1, Blocks: []Difference{{FalsePositives: 2}}}, {Size: 4, Blocks: full, In: 1,
			Open: Difference{FalseNegatives: -2}}, {Size: -2, Blocks: full},
	} {
		if err := new(Paired).Load(s); err == nil {
			t.Errorf("state %d is taken", n)
		}
	}
	if err := new(Paired).Load(PairedState{Size: 2, Blocks: full, In: 1}); err != nil {
		t.Error(err)
	}
}
