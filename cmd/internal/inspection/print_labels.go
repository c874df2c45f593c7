package inspection

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner/metrics"
)

// printLabels writes what became of labels that come later, and how many of each label came too late.
func (i *Inspection) printLabels(w io.Writer) {
	c := i.Counts.Labels
	if c == nil {
		return
	}
	fmt.Fprintf(w, "labels\t%d records: %d rejected%s%s; outcomes%s\n", c.Read, cli.Total(c.Rejected),
		cli.Reasons(c.Rejected), cli.When(c.Repeats > 0, fmt.Sprintf(", %d repeats", c.Repeats)),
		cli.Reasons(c.Outcomes))
	shares := c.ByLabel.Shares()
	for n := range shares[:min(mostShares, len(shares))] {
		s := &shares[n]
		fmt.Fprintf(w, "label %s\tcame for %d events that are known, %d of them too late (%.0f %%)\n", s.Label, s.Came,
			s.Late(), 100*s.Fraction())
	}
	if more := len(shares) - mostShares; more > 0 {
		fmt.Fprintf(w, "\tand %d more labels\n", more)
	}
}

// mostShares is how many labels are shown.
const mostShares = 12

// labelCounts lists how many examples in the figures have each label, of several classes the commonest ones.
func (i *Inspection) labelCounts() string {
	type count struct {
		label string
		n     float64
	}
	c := &i.Score.Confusion
	name := func(n int) string { return strings.Trim(i.names[n], `"`) }
	all := []count{{name(0), c.TrueNegative + c.FalsePositive}, {name(1), c.TruePositive + c.FalseNegative}}
	if i.Classes != nil {
		all = nil
		for n := range i.Classes {
			support := i.Classes[n].Figures[metrics.Scopes[0].Name].Support
			all = append(all, count{i.Classes[n].Class, support})
		}
		slices.SortStableFunc(all, func(a, b count) int { return cmp.Compare(b.n, a.n) })
	}
	sum := 0.0
	for _, x := range all {
		sum += x.n
	}
	if sum == 0 {
		return ""
	}
	var parts []string
	for _, x := range all[:min(mostShares, len(all))] {
		parts = append(parts, fmt.Sprintf("%s %.0f (%.2g %%)", x.label, x.n, 100*x.n/sum))
	}
	if more := len(all) - mostShares; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more labels", more))
	}
	return strings.Join(parts, ", ")
}
