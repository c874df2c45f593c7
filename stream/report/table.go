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
	pad := r.widest()
	fmt.Fprintf(t, "%-*s\texamples\tmistakes\tupdates\taccuracy\tlast 1000\tfading\tbalanced\tF1\t"+
		"kappa\tkappa-M\tkappa-T\t%s\n", pad, "learner", r.more("AUC", "log-loss"))
	for i := range r.Learners {
		l := &r.Learners[i]
		fmt.Fprintf(t, "%-*s\t%s\t%d\t%s\t%s\n", pad, l.Name, counts(&l.Row), l.Updates, figures(&l.Row),
			r.more(fourth(l.AUC, true), fourth(l.LogLoss, l.LogLoss != 0)))
	}
	for i := range r.Baselines {
		b := &r.Baselines[i]
		fmt.Fprintf(t, "%-*s\t%s\t-\t%s\t%s\n", pad, b.Name, counts(b), figures(b), r.more("-", "-"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if _, err := out.WriteString(r.notes()); err != nil {
		return err
	}
	return out.Flush()
}

// more returns the optional columns: AUC for two labels, log-loss for learners that give a probability.
func (r *Report) more(auc, loss string) (cells string) {
	if !r.Macro {
		cells += auc + "\t"
	}
	if r.probable() {
		cells += loss + "\t"
	}
	return cells
}

// probable reports whether a learner has a log-loss.
func (r *Report) probable() bool {
	return slices.ContainsFunc(r.Learners, func(l Learner) bool { return l.LogLoss != 0 })
}

func fourth(x float64, there bool) string {
	if !there {
		return "-"
	}
	return strconv.FormatFloat(x, 'f', 4, 64)
}

func (r *Report) widest() int {
	n := len("no-change")
	for i := range r.Learners {
		n = max(n, len([]rune(r.Learners[i].Name)))
	}
	return n
}

func counts(row *metrics.Row) string { return fmt.Sprintf("%d\t%d", row.Examples, row.Mistakes) }

func figures(row *metrics.Row) string {
	return fmt.Sprintf("%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f", row.Accuracy, row.Last.Accuracy,
		row.Fading.Accuracy,
		row.BalancedAccuracy, row.F1, row.Kappa, row.KappaM, row.KappaT)
}

// notes are the lines below the table.
func (r *Report) notes() string {
	var b strings.Builder
	if n := total(r.Rejected); n > 0 {
		fmt.Fprintf(&b, "rejected %d of %d: %s\n", n, r.Records, reasons(r.Rejected))
	}
	for i := range r.Learners {
		if own := r.Learners[i].Own(r.Rejected); own > 0 {
			fmt.Fprintf(&b, "%s rejected %d more\n", r.Learners[i].Name, own)
		}
	}
	if r.Skipped > 0 {
		fmt.Fprintf(&b, "null values skipped: %d\n", r.Skipped)
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
