package report

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/dustin/go-humanize"

	"rosenblatt/learner/metrics"
)

// scope is a table of the figures over all or some examples.
type scope struct {
	Title   string
	Columns []string
	Rows    []scopeRow
}

type scopeRow struct {
	Name     string
	Baseline bool
	Cells    []scopeCell
}

type scopeCell struct {
	Text string
	Best bool // of all learners, if there are several
}

// rowFigures is what a row shows of a learner or a baseline.
type rowFigures struct {
	name     string
	baseline bool
	mistakes int64
	figures  *metrics.Figures
}

func percentage(x float64) string { return strconv.FormatFloat(100*x, 'f', 2, 64) }

// optional is a figure, or a dash where the examples do not give it.
func optional(o metrics.Optional) string {
	if x, known := o.Get(); known {
		return figure(x)
	}
	return "–"
}

func figure(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }

// scopes are the tables over all examples, the latest ones, and fading.
func (r *Report) scopes() []scope {
	titles := []string{"All examples", "The last " + humanize.Comma(metrics.Window),
		"The last " + humanize.Comma(metrics.LongWindow), fmt.Sprintf("Fading, %v an example", metrics.Fade)}
	out := make([]scope, len(titles))
	for i, of := range metrics.Scopes {
		out[i] = r.scope(titles[i], i == 0, of.Of)
	}
	return out
}

// scopeColumns are all figures, those that say something of a rare label first where there is one.
func (r *Report) scopeColumns() []metrics.Column {
	var first []metrics.Column
	if _, _, rare := r.rare(); rare {
		first = metrics.Named("average_precision", "positives", "precision", "recall", "f1", "roc_auc")
	}
	out := append(r.costColumns(), first...)
	for _, c := range metrics.Columns {
		if !slices.ContainsFunc(first, func(x metrics.Column) bool { return x.Name == c.Name }) {
			out = append(out, c)
		}
	}
	return out
}

// scope has a column for every figure that a row has, and one of the mistakes over all.
func (r *Report) scope(title string, all bool, of func(*metrics.Row) *metrics.Figures) scope {
	var rows []rowFigures
	for i := range r.Learners {
		l := &r.Learners[i]
		rows = append(rows, rowFigures{l.Name, false, l.Mistakes, of(&l.Row)})
	}
	for i := range r.Baselines {
		b := &r.Baselines[i]
		rows = append(rows, rowFigures{b.Name, true, b.Mistakes, of(b)})
	}
	s := scope{Title: title}
	for i := range rows {
		s.Rows = append(s.Rows, scopeRow{Name: rows[i].name, Baseline: rows[i].baseline})
	}
	if all {
		s.add("mistakes", rows, -1, whole, func(row *rowFigures) metrics.Optional {
			return metrics.Known(float64(row.mistakes))
		})
	}
	for _, c := range r.scopeColumns() {
		if !slices.ContainsFunc(rows, func(row rowFigures) bool { _, known := c.Of(row.figures).Get(); return known }) {
			continue
		}
		text := figure
		switch c.Kind {
		case metrics.Count:
			text = whole
		case metrics.Money:
			text = func(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
		case metrics.Sum:
			text = func(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) }
		}
		s.add(c.Title, rows, c.Better, text, func(row *rowFigures) metrics.Optional { return c.Of(row.figures) })
	}
	return s
}

func (s *scope) add(title string, rows []rowFigures, better int, text func(float64) string,
	of func(*rowFigures) metrics.Optional) {
	s.Columns = append(s.Columns, title)
	best := bestOf(rows, better, text, of)
	for i := range rows {
		cell := scopeCell{Text: "–"}
		if x, known := of(&rows[i]).Get(); known {
			cell.Text = text(x)
			cell.Best = cell.Text == best && !rows[i].baseline
		}
		s.Rows[i].Cells = append(s.Rows[i].Cells, cell)
	}
}

// bestOf is the best figure of the learners as it is shown, so that equal ones are marked alike. It is empty if there
// are no two to compare.
func bestOf(rows []rowFigures, better int, text func(float64) string, of func(*rowFigures) metrics.Optional) string {
	best, count := 0.0, 0
	for i := range rows {
		x, known := of(&rows[i]).Get()
		if rows[i].baseline || !known {
			continue
		}
		if count++; count == 1 || float64(better)*(x-best) > 0 {
			best = x
		}
	}
	if count < 2 || better == 0 {
		return ""
	}
	return text(best)
}
