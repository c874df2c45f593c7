package report

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
)

// Curves writes the learning curves as CSV: a row for each point of each learner, and of the baselines beside the
// learner that scored most. There is a column for each figure in each scope; one that is absent is empty. With
// decisions by field there are two more columns, and behind the curves a row for each value of a field. Several classes
// have a row each there, and the columns of classHead.
func (r *Report) Curves(w io.Writer) error {
	out := csv.NewWriter(w)
	head := []string{"learner", "examples", "mistakes"}
	for i, scope := range metrics.Scopes {
		for _, c := range metrics.Columns {
			head = append(head, scoped(i, scope.Name, c.Name))
		}
	}
	var more []string // columns of parts of the examples
	switch {
	case r.Macro:
		more = classHead()
	case slices.ContainsFunc(r.Learners, func(l Learner) bool { return l.Slices != nil }):
		more = []string{"field", "value"}
	}
	rows := [][]string{append(head, more...)}
	for _, line := range r.lines() {
		for i := range line.points {
			rows = append(rows, append(curveRow(line.name, &line.points[i]), make([]string, len(more))...))
		}
	}
	for i := range r.Learners {
		rows = append(rows, r.Learners[i].partRows()...)
	}
	return out.WriteAll(rows)
}

// partRows are the rows of Curves of values of fields, or of classes.
func (l *Learner) partRows() (rows [][]string) {
	for _, x := range slicesOf(l) {
		row := metrics.Row{Examples: int64(x.Examples), Mistakes: int64(x.Mistakes), Figures: x.Figures}
		rows = append(rows, append(curveRow(l.Name, &row), x.Field, x.Value))
	}
	//mutation:classes-in-csv
	for i := range l.Classes {
		row, cells := l.Classes[i].row()
		rows = append(rows, append(curveRow(l.Name, &row), cells...))
	}
	return rows
}

func curveRow(name string, p *metrics.Row) []string {
	cells := []string{name, strconv.FormatInt(p.Examples, 10), strconv.FormatInt(p.Mistakes, 10)}
	for _, scope := range metrics.Scopes {
		for _, c := range metrics.Columns {
			text := ""
			if x, known := c.Of(scope.Of(p)).Get(); known {
				text = strconv.FormatFloat(x, 'g', -1, 64)
			}
			cells = append(cells, text)
		}
	}
	return cells
}

type line struct {
	name     string
	baseline bool
	points   []metrics.Row
	drifts   []model.Drifted
}

// drawn are the lines of a picture: those of the best learners, as many as have a style of their own, and those of the
// baselines.
func (r *Report) drawn() []line {
	lines := r.lines()
	if most := 2 * hues; len(r.Learners) > most {
		lines = slices.Delete(lines, most, len(r.Learners))
	}
	if _, _, rare := r.rare(); rare && len(lines) > len(r.Baselines) { // by chance all have one average precision
		lines = lines[:len(lines)-len(r.Baselines)+1]
		lines[len(lines)-1].name = "chance: the share of positives"
	}
	return lines
}

// lines are the curves, the best learner first, the baselines last.
func (r *Report) lines() []line {
	var out []line
	longest := -1
	for i := range r.Learners {
		l := &r.Learners[i]
		one := line{name: l.Name, drifts: l.latestDrifts()}
		for j := range l.Curve {
			one.points = append(one.points, l.Curve[j].Row)
		}
		out = append(out, one)
		if longest < 0 || l.Examples > r.Learners[longest].Examples {
			longest = i
		}
	}
	if longest < 0 {
		return out
	}
	for b := range r.Baselines {
		one := line{name: r.Baselines[b].Name, baseline: true}
		for j := range r.Learners[longest].Curve {
			one.points = append(one.points, r.Learners[longest].Curve[j].Baselines[b])
		}
		out = append(out, one)
	}
	return out
}
