package report

import (
	"cmp"
	"html/template"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// costPlot draws the cost by cut, where it is not far above that of one label for all.
func costPlot(l *Learner, c *costs) (template.HTML, error) {
	p := newPlot("positive from this score on", "")
	p.X.Tick.Marker, p.Y.Tick.Marker = marks{4, 0, short}, marks{5, 0, short}
	p.Add(gridLines())
	points, most := costPoints(l, c)
	high := 1.15 * max(min(c.Never.Value(), c.Always.Value()), c.Lowest)
	from, to := within(points, high)
	if !(from < to) { // all cuts but one are far above: draw them all
		high = 1.05 * most
		from, to = within(points, high)
	}
	if !(from < to) {
		return "", nil // one score for all
	}
	line := func(y float64, dashes ...vg.Length) error {
		l, err := plotter.NewLine(plotter.XYs{{X: from, Y: y}, {X: to, Y: y}})
		if err == nil {
			l.Color, l.Dashes, l.Width = ink, dashes, 1
			p.Add(l)
		}
		return err
	}
	if err := line(c.Never.Value(), 2, 3); err != nil {
		return "", err
	}
	if err := line(c.Published.Value(), 7, 4); err != nil {
		return "", err
	}
	curve, err := plotter.NewLine(points)
	if err != nil {
		return "", err
	}
	curve.Color, curve.Width = hue(0), 1.75
	p.Add(curve)
	if c.Cut != nil {
		dot, err := plotter.NewScatter(plotter.XYs{{X: c.Cut.Score, Y: c.Lowest}})
		if err != nil {
			return "", err
		}
		dot.Color, dot.Radius, dot.Shape = hue(0), 4, draw.CircleGlyph{}
		p.Add(dot)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = from, to, 0, high
	return render(p, square, "Cost by cut of "+l.Name)
}

// costPoints are the cost by score, and the highest.
func costPoints(l *Learner, c *costs) (points plotter.XYs, most float64) {
	for i := range l.Cuts {
		cut := &l.Cuts[i]
		if cut.Score == -math.MaxFloat64 {
			continue
		}
		cost := perEvents * c.At(cut, l.Positives.Value())
		points, most = append(points, plotter.XY{X: cut.Score, Y: cost}), max(most, cost)
	}
	if c.Cut != nil { // it may be between two points of the curve
		points = append(points, plotter.XY{X: c.Cut.Score, Y: c.Lowest})
		slices.SortStableFunc(points, func(a, b plotter.XY) int { return cmp.Compare(b.X, a.X) })
	}
	return points, most
}

// within is the range of the scores whose cost is not higher.
func within(points plotter.XYs, high float64) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for _, p := range points {
		if p.Y <= high {
			from, to = min(from, p.X), max(to, p.X)
		}
	}
	return from, to
}
