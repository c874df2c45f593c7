package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"rosenblatt/learner/metrics"
)

// TestSlicesInReports: JSON and CSV have all, the page those with most mistakes; each has them most mistakes first.
func TestSlicesInReports(t *testing.T) {
	r := withPositives(20)
	l := &r.Learners[0]
	l.Curve = []metrics.Report{l.Report}
	without := len(strings.Split(strings.Split(written(t, r.Curves), "\n")[0], ","))
	s := metrics.NewSlices([]string{"<i>shop", "vip"})
	for i := range 50 {
		for j := range 50 {
			label := int8(1)
			if j < i {
				label = -1
			}
			s.Add(metrics.SliceCodes{s.Code(0, fmt.Appendf(nil, "s%d", i), false, false),
				s.Code(1, fmt.Append(nil, j%20), false, false)}, 1, label)
		}
	}
	l.Slices = s.Rows()
	var d struct {
		Learners []struct {
			Slices []struct {
				Field, Value       string
				Examples, Mistakes float64
				Precision, Recall  *float64
			}
		}
	}
	if err := json.Unmarshal([]byte(written(t, r.JSON)), &d); err != nil {
		t.Fatal(err)
	}
	all := d.Learners[0].Slices
	if first := all[0]; len(all) != 70 || first.Field != "vip" || first.Value != "0" || first.Examples != 150 ||
		math.Abs(*first.Precision-(1-first.Mistakes/150)) > 1e-12 || *first.Recall != 1 {
		t.Errorf("%d slices, %+v with precision %v first", len(all), first, *first.Precision)
	}
	if last := all[69]; last.Value != "s0" || last.Mistakes != 0 || last.Examples != 50 {
		t.Errorf("the last one is %+v", last)
	}
	rows, err := csv.NewReader(strings.NewReader(written(t, r.Curves))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if head := rows[0]; len(head) != without+2 || head[without] != "field" || head[without+1] != "value" {
		t.Errorf("%v", head)
	}
	if row := rows[1]; row[without] != "" {
		t.Errorf("a curve has the field %q", row[without])
	}
	if row := rows[len(rows)-1]; row[without] != "<i>shop" || row[without+1] != "s0" || row[1] != "50" ||
		row[2] != "0" || row[3] != "1" {
		t.Errorf("the last row is %v", row)
	}
	page := written(t, r.HTML)
	if n := strings.Count(page, "&lt;i&gt;shop = ") + strings.Count(page, "vip = "); n != mostSlices ||
		!strings.Contains(page, "10 more are in the JSON") {
		t.Errorf("the page lists %d", n)
	}
}
