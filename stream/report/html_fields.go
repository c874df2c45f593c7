package report

import (
	"cmp"
	"fmt"
	"slices"

	"rosenblatt/stream/profile"
)

// shownFields is how many fields the page shows; the profile has all.
const shownFields = 60

// fieldSection is what the page shows of a profile.
type fieldSection struct {
	Events  int64
	Changes []profile.Change // the latest last
	Rows    []fieldRow       // those that alert first, then by shift
	Hidden  int              // fields that are not shown
}

type fieldRow struct {
	Name             string
	Alert            profile.Alert
	Present          float64 // share of the events of the newest window
	Shift, Reference string  // against before, and against the reference
	NewWords         string
	Now, Was, First  string // what it held: now, before, in the reference
	size             float64
}

// newFieldSection is nil without a profile, and before it has seen an event.
func newFieldSection(r *profile.Report) *fieldSection {
	if r == nil || r.Events == 0 {
		return nil
	}
	s := &fieldSection{Events: r.Events, Changes: r.Changes}
	for i := range r.Fields {
		f := &r.Fields[i]
		if f.Now == nil {
			continue
		}
		row := fieldRow{Name: f.Name, Alert: f.Alert, Present: f.Now.PresentRatio(), Now: f.Now.Text(),
			Was: f.Before.Text(), First: f.Reference.Text(), Shift: shiftText(f.Shift.Before),
			Reference: shiftText(f.Shift.Reference), NewWords: "–"}
		if f.NewWords != nil {
			row.NewWords = fmt.Sprintf("%.1f %%", 100**f.NewWords)
		}
		if f.Shift.Before != nil {
			row.size = *f.Shift.Before
		}
		s.Rows = append(s.Rows, row)
	}
	slices.SortStableFunc(s.Rows, func(x, y fieldRow) int {
		return cmp.Or(alertFirst(x.Alert, y.Alert), cmp.Compare(y.size, x.size))
	})
	s.Hidden = max(0, len(s.Rows)-shownFields)
	s.Rows = s.Rows[:len(s.Rows)-s.Hidden]
	return s
}

func alertFirst(x, y profile.Alert) int {
	switch {
	case (x == "") == (y == ""):
		return 0
	case y == "":
		return -1
	}
	return 1
}

func shiftText(x *float64) string {
	switch {
	case x == nil:
		return "–"
	case *x > 0.25:
		return fmt.Sprintf("%.3f large", *x)
	case *x >= 0.1:
		return fmt.Sprintf("%.3f some", *x)
	}
	return fmt.Sprintf("%.3f", *x)
}
