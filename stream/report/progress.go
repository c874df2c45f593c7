package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
)

// Progress writes a table while a replay runs: rows with, for the baselines and each learner, the accuracy so far and
// since the row before, in per cent. Where a learner predicts by a rule, it is the figure that the rule is about.
type Progress struct {
	out    io.Writer
	names  []string
	rules  []decision.Rule // of the learners
	lead   decision.Rule   // the first one that is not the sign of the score: of the baselines, and of who has none
	before []metrics.Report
	widths []int
	begun  bool
}

// columnWidth bounds a learner's column; longer names are cut.
const columnWidth = 20

// NewProgress makes the table of these learners, which predict by these rules.
func NewProgress(out io.Writer, names []string, rules []decision.Rule) *Progress {
	p := &Progress{out: out, names: names, rules: slices.Clone(rules), before: make([]metrics.Report, len(names))}
	for _, r := range rules {
		if p.lead.Kind == decision.Sign {
			p.lead = r
		}
	}
	for i := range p.rules {
		//mutation:live-table-leads-with-the-rule
		if p.rules[i].Kind == decision.Sign {
			p.rules[i] = p.lead
		}
	}
	return p
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
		cells = append(cells, p.cell(i, p.lead, &baselines[i], &before))
	}
	for i := range reports {
		cells = append(cells, p.cell(len(baselines)+i, p.rules[i], &reports[i].Row, &p.before[i].Row))
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
	fmt.Fprintln(p.out, p.about()+", so far and since the row before")
	fmt.Fprintln(p.out, strings.Join(cells, "  "))
}

// about names the figures, each with its rule where there are several.
func (p *Progress) about() string {
	var each []string
	for _, r := range p.rules {
		if text := fmt.Sprintf("%v: %s", r, ruleFigure(r).name); !slices.Contains(each, text) {
			each = append(each, text)
		}
	}
	if len(each) < 2 {
		return ruleFigure(p.lead).name
	}
	return strings.Join(each, "; ")
}

func (p *Progress) cell(column int, by decision.Rule, now, before *metrics.Row) string {
	f, all, since := ruleFigure(by), "-", "-"
	if x, known := f.of(now).Get(); known {
		all = f.text(x)
	}
	between := metrics.Row{Examples: now.Examples - before.Examples, Mistakes: now.Mistakes - before.Mistakes}
	between.Confusion = metrics.Confusion{
		TruePositive:  now.Confusion.TruePositive - before.Confusion.TruePositive,
		FalsePositive: now.Confusion.FalsePositive - before.Confusion.FalsePositive,
		TrueNegative:  now.Confusion.TrueNegative - before.Confusion.TrueNegative,
		FalseNegative: now.Confusion.FalseNegative - before.Confusion.FalseNegative,
	}
	if x, known := f.of(&between).Get(); known {
		since = f.text(x)
	}
	return fmt.Sprintf("%*s", p.widths[column], fmt.Sprintf("%6s %6s", all, since))
}
