package report

import (
	"html/template"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// precisionPlot draws precision by recall.
func precisionPlot(l *Learner) (template.HTML, error) {
	chance := l.Positives.Value()
	points := make(plotter.XYs, len(l.Cuts))
	for i, c := range l.Cuts {
		points[i] = plotter.XY{X: c.Recall, Y: c.Precision}
	}
	return cutsPlot("recall", points, plotter.XYs{{X: 0, Y: chance}, {X: 1, Y: chance}},
		"Precision by recall of "+l.Name)
}

// rocPlot draws recall by the share of false positives.
func rocPlot(l *Learner) (template.HTML, error) {
	points := plotter.XYs{{X: 0, Y: 0}}
	for _, c := range l.Cuts {
		points = append(points, plotter.XY{X: c.FalsePositiveRate, Y: c.Recall})
	}
	return cutsPlot("false positives", points, plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, "ROC curve of "+l.Name)
}

// cutsPlot draws a curve above what chance gives.
func cutsPlot(axis string, points, chance plotter.XYs, name string) (template.HTML, error) {
	p := newPlot(axis, "")
	p.X.Tick.Marker, p.Y.Tick.Marker = marks{5, 0, percent}, marks{5, 0, percent}
	p.Add(gridLines())
	dotted, err := plotter.NewLine(chance)
	if err != nil {
		return "", err
	}
	dotted.Color, dotted.Dashes, dotted.Width = ink, []vg.Length{2, 3}, 1
	curve, err := plotter.NewLine(points)
	if err != nil {
		return "", err
	}
	curve.Color, curve.Width = hue(0), 1.75
	p.Add(dotted, curve)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	return render(p, square, name)
}

// thresholdPlot draws from which score on positive was predicted, over the examples; empty with less than two points.
func thresholdPlot(l *Learner) (template.HTML, error) {
	if len(l.Thresholds) < 2 {
		return "", nil
	}
	p := newPlot("examples", "")
	p.X.Tick.Marker, p.Y.Tick.Marker = marks{3, 1, whole}, marks{5, 0, short}
	p.Add(gridLines())
	points := make(plotter.XYs, len(l.Thresholds))
	for i, x := range l.Thresholds {
		points[i] = plotter.XY{X: float64(x.Examples), Y: x.Score}
	}
	curve, err := plotter.NewLine(points)
	if err != nil {
		return "", err
	}
	curve.Color, curve.Width = hue(0), 1.75
	p.Add(curve)
	p.X.Min, p.X.Max = 0, points[len(points)-1].X
	if p.Y.Min == p.Y.Max { // it never moved
		p.Y.Min, p.Y.Max = p.Y.Min-1, p.Y.Max+1
	}
	return render(p, square, "Cut over time of "+l.Name)
}
