package report

import (
	"fmt"
	"io"
	"strings"

	"rosenblatt/learner/metrics"
)

// Progress writes a table while a replay runs: rows with, for the baselines and each learner, the accuracy so far and
// since the row before, in per cent.
type Progress struct {
	out    io.Writer
	names  []string
	before []metrics.Report
	widths []int
	begun  bool
}

// columnWidth bounds a learner's column; longer names are cut.
const columnWidth = 20

// NewProgress makes the table of these learners.
func NewProgress(out io.Writer, names []string) *Progress {
	return &Progress{out: out, names: names, before: make([]metrics.Report, len(names))}
}

// Row writes the row at this number of predictions. Reports are in the order of the names.
func (p *Progress) Row(predictions int64, reports []metrics.Report) {
	baselines := reports[0].Baselines
	if !p.begun {
		p.header(baselines)
	}
	cells := []string{fmt.Sprintf("%10d", predictions)}
	for i := range baselines {
		var before metrics.Row
		if i < len(p.before[0].Baselines) {
			before = p.before[0].Baselines[i]
		}
		cells = append(cells, p.cell(i, &baselines[i], &before))
	}
	for i := range reports {
		cells = append(cells, p.cell(len(baselines)+i, &reports[i].Row, &p.before[i].Row))
	}
	copy(p.before, reports)
	fmt.Fprintln(p.out, strings.Join(cells, "  "))
}

func (p *Progress) header(baselines []metrics.Row) {
	p.begun = true
	cells := []string{fmt.Sprintf("%10s", "examples")}
	add := func(name string) {
		runes := []rune(name)
		if len(runes) > columnWidth {
			name = string(runes[:columnWidth-1]) + "…"
		}
		width := max(len([]rune(name)), len("100.00 100.00"))
		p.widths = append(p.widths, width)
		cells = append(cells, strings.Repeat(" ", width-len([]rune(name)))+name)
	}
	for i := range baselines {
		add(baselines[i].Name)
	}
	for _, name := range p.names {
		add(name)
	}
	fmt.Fprintln(p.out, "accuracy in %, so far and since the row before")
	fmt.Fprintln(p.out, strings.Join(cells, "  "))
}

func (p *Progress) cell(column int, now, before *metrics.Row) string {
	all, since := "-", "-"
	if n := now.Examples - before.Examples; n > 0 {
		since = fmt.Sprintf("%.2f", 100-100*float64(now.Mistakes-before.Mistakes)/float64(n))
	}
	if x, known := now.Accuracy.Get(); known {
		all = fmt.Sprintf("%.2f", 100*x)
	}
	return fmt.Sprintf("%*s", p.widths[column], fmt.Sprintf("%6s %6s", all, since))
}
