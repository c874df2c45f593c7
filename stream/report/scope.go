package report

import (
	"fmt"
	"math"
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
	metrics.Figures
}

// column is a figure: NaN is none.
type column struct {
	name  string
	of    func(*rowFigures) float64
	text  func(float64) string
	least bool // the least value is the best one
}

var (
	mistakesColumn = column{"mistakes", func(s *rowFigures) float64 { return float64(s.mistakes) }, whole, true}
	aucColumn      = column{"AUC", func(s *rowFigures) float64 {
		if auc, known := s.RocAUC.Get(); known {
			return auc
		}
		return math.NaN()
	}, figure, false}
	lossColumn = column{"log-loss", func(s *rowFigures) float64 {
		if s.LogLoss == 0 {
			return math.NaN()
		}
		return s.LogLoss
	}, figure, true}
	columns = []column{
		{"accuracy %", func(s *rowFigures) float64 { return s.Accuracy }, percentage, false},
		{"balanced %", func(s *rowFigures) float64 { return s.BalancedAccuracy }, percentage, false},
		{"precision", func(s *rowFigures) float64 { return s.Precision }, figure, false},
		{"recall", func(s *rowFigures) float64 { return s.Recall }, figure, false},
		{"F1", func(s *rowFigures) float64 { return s.F1 }, figure, false},
		{"kappa", func(s *rowFigures) float64 { return s.Kappa }, figure, false},
		{"kappa-M", func(s *rowFigures) float64 { return s.KappaM }, figure, false},
		{"kappa-T", func(s *rowFigures) float64 { return s.KappaT }, figure, false},
	}
)

func percentage(x float64) string { return strconv.FormatFloat(100*x, 'f', 2, 64) }

// optional is a figure, or a dash where the examples do not give it.
func optional(o metrics.Optional) string {
	if x, known := o.Get(); known {
		return figure(x)
	}
	return "–"
}

func figure(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }

// scopes are the tables over all examples, the last ones, and fading, where there are no mistakes and no AUC.
func (r *Report) scopes() []scope {
	var more []column
	if r.probable() {
		more = []column{lossColumn}
	}
	last := columns
	if !r.Macro {
		last = append(columns[:len(columns):len(columns)], aucColumn)
	}
	join := func(a, b []column) []column { return append(a[:len(a):len(a)], b...) }
	return []scope{
		r.scope("All examples", join(join([]column{mistakesColumn}, last), more),
			func(row *metrics.Row) metrics.Figures { return row.Figures }),
		r.scope("The last "+humanize.Comma(metrics.Window), join(last, more),
			func(row *metrics.Row) metrics.Figures { return row.Last }),
		r.scope(fmt.Sprintf("Fading, %v an example", metrics.Fade), join(columns, more),
			func(row *metrics.Row) metrics.Figures { return row.Fading }),
	}
}

func (r *Report) scope(title string, columns []column, of func(*metrics.Row) metrics.Figures) scope {
	var all []rowFigures
	for i := range r.Learners {
		l := &r.Learners[i]
		all = append(all, rowFigures{l.Name, false, l.Mistakes, of(&l.Row)})
	}
	for i := range r.Baselines {
		b := &r.Baselines[i]
		all = append(all, rowFigures{b.Name, true, b.Mistakes, of(b)})
	}
	s := scope{Title: title}
	for i := range all {
		s.Rows = append(s.Rows, scopeRow{Name: all[i].name, Baseline: all[i].baseline})
	}
	for _, c := range columns {
		s.Columns = append(s.Columns, c.name)
		best := c.best(all)
		for i := range all {
			text := c.show(&all[i])
			s.Rows[i].Cells = append(s.Rows[i].Cells, scopeCell{text, text == best && !all[i].baseline})
		}
	}
	return s
}

func (c *column) show(s *rowFigures) string {
	if x := c.of(s); !math.IsNaN(x) {
		return c.text(x)
	}
	return "–"
}

// best is the best figure of the learners as it is shown, so that equal ones are marked alike. It is empty if there are
// no two to compare.
func (c *column) best(all []rowFigures) string {
	best, count := math.NaN(), 0
	for i := range all {
		x := c.of(&all[i])
		if all[i].baseline || math.IsNaN(x) {
			continue
		}
		if count++; count == 1 || x > best != c.least {
			best = x
		}
	}
	if count < 2 {
		return ""
	}
	return c.text(best)
}
