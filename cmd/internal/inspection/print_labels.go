package inspection

import (
	"fmt"
	"io"

	"rosenblatt/cmd/internal/cli"
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
