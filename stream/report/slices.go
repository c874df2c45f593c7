package report

import (
	"cmp"
	"slices"

	"rosenblatt/learner/metrics"
)

// mostSlices is how many values of fields the page lists of a learner; JSON and CSV have all.
const mostSlices = 60

// sliceRow is one value of a field, with its counts.
type sliceRow struct {
	metrics.SliceRow
	Examples float64 `json:"examples"`
	Mistakes float64 `json:"mistakes"`
}

// slicesOf are those of a learner, most mistakes first.
func slicesOf(l *Learner) []sliceRow {
	var out []sliceRow
	for i := range l.Slices {
		out = append(out, sliceRow{l.Slices[i], l.Slices[i].Examples(), l.Slices[i].Mistakes()})
	}
	slices.SortStableFunc(out, func(a, b sliceRow) int { return cmp.Compare(b.Mistakes, a.Mistakes) })
	return out
}
