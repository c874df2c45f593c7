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
		"kappa\tkappa-M\tkappa-T\t%s\n", pad, "learner", r.more("AUC", "loss", "log-loss"))
	row := func(b *metrics.Row, updates, auc, loss, logLoss string) {
		fmt.Fprintf(t, "%-*s\t%d\t%d\t%s", pad, b.Name, b.Examples, b.Mistakes, updates)
		for _, x := range []float64{b.Accuracy, b.Last.Accuracy, b.Fading.Accuracy, b.BalancedAccuracy, b.F1, b.Kappa,
			b.KappaM, b.KappaT} {
			fmt.Fprintf(t, "\t%.4f", x)
		}
		fmt.Fprintf(t, "\t%s\n", r.more(auc, loss, logLoss))
	}
	for i := range r.Learners {
		l, logLoss := &r.Learners[i], "-"
		if l.LogLoss != 0 {
			logLoss = fmt.Sprintf("%.4f", l.LogLoss)
		}
		auc := "-"
		if x, known := l.RocAUC.Get(); known {
			auc = fmt.Sprintf("%.4f", x)
		}
		row(&l.Row, strconv.FormatInt(l.Updates, 10), auc, fmt.Sprintf("%.6g", l.Loss), logLoss)
	}
	for i := range r.Baselines {
		row(&r.Baselines[i], "-", "-", "-", "-")
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if _, err := out.WriteString(r.notes()); err != nil {
		return err
	}
	return out.Flush()
}

// more returns the optional columns: AUC and the perceptron's loss, log-loss.
func (r *Report) more(auc, loss, logLoss string) (cells string) {
	if !r.Macro {
		cells += auc + "\t" + loss + "\t"
	}
	if r.probable() {
		cells += logLoss + "\t"
	}
	return cells
}

func (r *Report) probable() bool {
	return slices.ContainsFunc(r.Learners, func(l Learner) bool { return l.LogLoss != 0 })
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
	b.WriteString(r.mistakes())
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
