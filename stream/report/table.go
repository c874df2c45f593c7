package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
)

// Table writes a row for each learner, best first, the baselines, and the rejected records.
func (r *Report) Table(w io.Writer) error {
	out := bufio.NewWriter(w) // tabwriter writes each cell and each gap by itself
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	pad, columns := r.widest(), r.tableColumns()
	fmt.Fprintf(t, "%-*s\texamples\tmistakes\tupdates\taccuracy", pad, "learner")
	for _, scope := range metrics.Scopes[1:] {
		fmt.Fprint(t, "\t", scope.Name)
	}
	for i := range columns {
		fmt.Fprint(t, "\t", columns[i].Title)
	}
	fmt.Fprint(t, "\t\n")
	row := func(b *metrics.Row, updates string) {
		fmt.Fprintf(t, "%-*s\t%d\t%d\t%s", pad, b.Name, b.Examples, b.Mistakes, updates)
		for _, scope := range metrics.Scopes {
			fmt.Fprint(t, "\t", metrics.Columns[0].Text(scope.Of(b), "-"))
		}
		for i := range columns {
			fmt.Fprint(t, "\t", columns[i].Text(&b.Figures, "-"))
		}
		fmt.Fprint(t, "\t\n")
	}
	for i := range r.Learners {
		row(&r.Learners[i].Row, strconv.FormatInt(r.Learners[i].Updates, 10))
	}
	for i := range r.Baselines {
		row(&r.Baselines[i], "-")
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if _, err := out.WriteString(r.notes()); err != nil {
		return err
	}
	return out.Flush()
}

// tableColumns are the figures over all examples behind the accuracies. With a rare label kappas make room for figures
// that say something of it.
func (r *Report) tableColumns() []metrics.Column {
	names := []string{"balanced_accuracy", "f1", "kappa", "kappa_m", "kappa_t"}
	//mutation:rare-table
	if _, _, rare := r.rare(); rare {
		names = []string{"balanced_accuracy", "f1", "precision", "recall", "average_precision"}
	}
	if !r.Macro {
		names = append(names, "roc_auc", "loss")
	}
	if r.probable() {
		names = append(names, "log_loss")
	}
	return append(r.costColumns(), metrics.Named(names...)...)
}

func (r *Report) probable() bool {
	return slices.ContainsFunc(r.Learners, func(l Learner) bool { return l.LogLoss != metrics.Optional{} })
}

func (r *Report) widest() int {
	n := len("no-change")
	for i := range r.Learners {
		n = max(n, len([]rune(r.Learners[i].Name)))
	}
	return n
}

// notes are the lines below the table.
func (r *Report) notes() string {
	var b strings.Builder
	b.WriteString(r.rareNote())
	b.WriteString(r.costNote())
	b.WriteString(r.mistakes())
	b.WriteString(r.driftNotes())
	//mutation:classes-in-table
	b.WriteString(r.classTables())
	if n := total(r.Rejected); n > 0 {
		fmt.Fprintf(&b, "rejected %d of %d: %s\n", n, r.Records, reasons(r.Rejected))
	}
	for i := range r.Learners {
		if own := r.Learners[i].Own(r.Rejected); own > 0 {
			fmt.Fprintf(&b, "%s rejected %d more\n", r.Learners[i].Name, own)
		}
	}
	if r.Untrained > 0 {
		fmt.Fprintf(&b, "untrained: %d predictions were made without a label before anything was learned:"+
			" they are in no figure\n", r.Untrained)
	}
	if r.Joined != nil {
		b.WriteString(lateNotes(r.Joined))
	}
	if r.Sharing != "" {
		b.WriteString(r.Sharing + "\n")
	}
	if r.Skipped > 0 {
		fmt.Fprintf(&b, "null values and header rows skipped: %d\n", r.Skipped)
	}
	return b.String()
}

func total(count map[event.Reason]int64) (n int64) {
	for _, c := range count {
		n += c
	}
	return n
}

// reasons lists counts in the order of event.Reasons.
func reasons(count map[event.Reason]int64) string {
	var parts []string
	for _, reason := range event.Reasons() {
		if n := count[reason]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", reason, n))
		}
	}
	return strings.Join(parts, ", ")
}
