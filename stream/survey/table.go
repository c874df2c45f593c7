package survey

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize/english"
)

// tableFields is how many fields a table shows.
const tableFields = 40

// Headline sums up the events in one line.
func (r *Report) Headline() string {
	if r.Events == 0 {
		return "no event"
	}
	out := []string{fmt.Sprintf("%d with a label", r.Labelled)}
	if without := r.Events - r.Labelled - r.Skipped - r.Rejected; without > 0 {
		out = append(out, fmt.Sprintf("%d without", without))
	}
	if r.Skipped > 0 {
		out = append(out, count(r.Skipped)+" skipped, null or a header row")
	}
	for _, x := range r.Reasons {
		out = append(out, fmt.Sprintf("%d rejected as %s", x.Count, x.Reason))
	}
	return english.Plural(r.Events, "event", "") + ": " + strings.Join(out, ", ")
}

// WriteTable writes a row for each field, each line after the indent.
func (r *Report) WriteTable(w io.Writer, indent string) error {
	if len(r.Fields) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%sfield\tkind\tdistinct\texample\tbecomes\n", indent)
	for _, f := range r.Fields[:min(len(r.Fields), tableFields)] {
		distinct := count(f.Distinct)
		if f.Distinct == maxDistinct {
			distinct += "+"
		}
		fmt.Fprintf(t, "%s%s\t%s\t%s\t%s\t%s\n", indent, visible(f.Name), f.Kind, distinct, visible(f.Example),
			visible(f.Becomes))
	}
	if more := len(r.Fields) + r.Hidden - tableFields; more > 0 {
		fmt.Fprintf(t, "%sand %d more\n", indent, more)
	}
	return t.Flush()
}

// visible replaces what would break a table or a terminal.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '\ufffd'
		}
		return r
	}, s)
}
