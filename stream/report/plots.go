package report

import (
	"html/template"
	"math"
	"strconv"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/replay"
)

// key is the style of a curve.
type key struct {
	Name   string
	Color  template.CSS // a colour of the style sheet
	Dashes string       // as in SVG; empty for a solid line
	hue    int
	dashes []vg.Length
}

// keys gives learners colours, and baselines grey dashes.
func keys(lines []line) []key {
	out := make([]key, len(lines))
	learners, baselines := 0, 0
	for i, l := range lines {
		k := key{Name: l.name}
		switch {
		case l.baseline:
			k.hue, k.Color = -1, "var(--soft)"
			k.dashes, k.Dashes = []vg.Length{2, 3}, "2 3"
			if baselines++; baselines > 1 {
				k.dashes, k.Dashes = []vg.Length{7, 4}, "7 4"
			}
		default:
			k.hue = learners % hues
			k.Color = template.CSS("var(--hue" + strconv.Itoa(k.hue) + ")")
			if learners >= hues {
				k.dashes, k.Dashes = []vg.Length{10, 3}, "10 3"
			}
			learners++
		}
		out[i] = k
	}
	return out
}

// leading is the figure that curves are of, and over which examples: accuracy, or average precision where a label is
// rare.
func (r *Report) leading() (title string, of func(l *line, at int) metrics.Optional) {
	if _, _, rare := r.rare(); rare {
		return "Average precision over the last " + humanize.Comma(metrics.LongWindow) + " examples",
			func(l *line, at int) metrics.Optional {
				if l.baseline {
					return l.points[at].Last10000.Positives
				}
				return l.points[at].Last10000.AveragePrecision
			}
	}
	return "Accuracy over the last " + humanize.Comma(metrics.Window) + " examples",
		func(l *line, at int) metrics.Optional { return l.points[at].Last.Accuracy }
}

// curves draws the leading figure.
func (r *Report) curves(s shape) (template.HTML, error) {
	lines := r.drawn()
	title, of := r.leading()
	p := newPlot("examples", "")
	p.X.Tick.Marker = marks{s.marks, 1, whole}
	p.Y.Tick.Marker = marks{6, 0, percent}
	p.Add(gridLines())
	// Baselines first, the best learner on top.
	ks := keys(lines)
	for i := len(lines) - 1; i >= 0; i-- {
		l, k := lines[i], ks[i]
		var points plotter.XYs
		for j := range l.points {
			if y, known := of(&l, j).Get(); known {
				points = append(points, plotter.XY{X: float64(l.points[j].Examples), Y: y})
			}
		}
		if len(points) == 0 {
			continue
		}
		drawn, err := plotter.NewLine(points)
		if err != nil {
			return "", err
		}
		drawn.Width, drawn.Dashes, drawn.Color = 2, k.dashes, hue(k.hue)
		if k.hue < 0 {
			drawn.Width, drawn.Color = 1.25, soft
		}
		p.Add(drawn)
		if err := addDrifts(p, l.drifts, points, drawn.Color); err != nil {
			return "", err
		}
	}
	p.X.Min, p.X.Max = 0, float64(max(r.Examples, 1))
	p.Y.Min, p.Y.Max = span(lines, of)
	return render(p, s, title+" of every learner and baseline")
}

// span is the range of the left axis: without the first tenth, where a few examples make curves jump.
func span(lines []line, of func(*line, int) metrics.Optional) (low, high float64) {
	low, high = 1, 0
	for _, l := range lines {
		for j := len(l.points) / 10; j < len(l.points); j++ {
			if y, known := of(&l, j).Get(); known {
				low, high = min(low, y), max(high, y)
			}
		}
	}
	if low > high {
		return 0, 1
	}
	const step = 0.05
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	return max(low, 0), min(max(high, low+step), 1)
}

// calibrationPlot draws the share of positive labels against the probability.
func calibrationPlot(bins []replay.Bin, name string) (template.HTML, error) {
	p := newPlot("probability given", "")
	p.X.Tick.Marker, p.Y.Tick.Marker = marks{5, 0, percent}, marks{5, 0, percent}
	p.Add(gridLines())
	ideal, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	if err != nil {
		return "", err
	}
	ideal.Color, ideal.Dashes, ideal.Width = ink, []vg.Length{2, 3}, 1
	var points plotter.XYs
	for _, b := range bins {
		if b.Examples > 0 {
			points = append(points, plotter.XY{X: b.Probability, Y: b.Share()})
		}
	}
	curve, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return "", err
	}
	curve.Color, curve.Width = hue(0), 1.75
	dots.Color, dots.Radius, dots.Shape = hue(0), 3, draw.CircleGlyph{}
	p.Add(ideal, curve, dots)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	return render(p, square, "Calibration of "+name)
}
