package report

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"math"
	"regexp"
	"strconv"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// render replaces these colours by variables of the style sheet, which has a light and a dark set.
var (
	ink  = color.RGBA{1, 0, 0, 255} // axes and text
	grid = color.RGBA{1, 0, 1, 255}
	soft = color.RGBA{1, 0, 2, 255} // baselines
)

// hues is the number of colours. Further curves repeat them, dashed.
const hues = 7

func hue(i int) color.RGBA { return color.RGBA{2, 0, uint8(i % hues), 255} }

// shape is the size of a picture in pixels.
type shape struct {
	width, height vg.Length
	marks         int // on the axis below
}

var (
	wide   = shape{880, 340, 9}
	narrow = shape{350, 260, 4}
	square = shape{300, 260, 5}
)

const fontSize = 12

func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = color.Transparent
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Color, a.Tick.Color = ink, ink
		a.Label.TextStyle.Color, a.Tick.Label.Color = ink, ink
		for _, f := range []*draw.TextStyle{&a.Label.TextStyle, &a.Tick.Label} {
			f.Font.Size, f.Font.Variant = fontSize, "Sans"
		}
	}
	return p
}

// gridLines are at the marks of the left axis.
func gridLines() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Width = 0
	g.Horizontal.Color, g.Horizontal.Dashes, g.Horizontal.Width = grid, nil, 1
	return g
}

// render draws a plot as SVG in the page's colours and font, as wide as the column.
func render(p *plot.Plot, s shape, label string) (template.HTML, error) {
	canvas := vgsvg.New(s.width, s.height)
	p.Draw(draw.Crop(draw.New(canvas), 0, -16, 0, -8)) // room for the outer halves of the last marks' labels
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return "", err
	}
	return template.HTML(adapt(out.String(), s, label)), nil
}

var (
	svgHead  = regexp.MustCompile(`(?s)^.*?<svg[^>]*>`)
	svgColor = regexp.MustCompile(`#0([12])00(0[0-9a-f])`)
	svgFont  = regexp.MustCompile(`font-family:[^;"]*;?|font-variant:[^;"]*;?`)
)

func adapt(svg string, s shape, label string) string {
	head := fmt.Sprintf(`<svg viewBox="0 0 %g %g" role="img" aria-label="%s">`, s.width.Points(), s.height.Points(),
		template.HTMLEscapeString(label))
	svg = svgHead.ReplaceAllLiteralString(svg, head)
	svg = svgFont.ReplaceAllLiteralString(svg, "")
	return svgColor.ReplaceAllStringFunc(svg, func(c string) string {
		switch {
		case c == "#010000":
			return "var(--ink)"
		case c == "#010001":
			return "var(--grid)"
		case c == "#010002":
			return "var(--soft)"
		}
		return "var(--hue" + c[6:] + ")"
	})
}

// marks puts marks at round numbers: 1, 2 or 5 times a power of ten.
type marks struct {
	most  int
	least float64 // the smallest distance between two
	label func(float64) string
}

// Ticks implements plot.Ticker. Adding 0 turns -0 into 0.
func (m marks) Ticks(low, high float64) (out []plot.Tick) {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/float64(m.most))))
	for _, f := range []float64{1, 2, 5, 10} {
		if (high-low)/(step*f) <= float64(m.most) {
			step *= f
			break
		}
	}
	step = max(step, m.least)
	if step <= 0 || math.IsNaN(step) || math.IsInf(step, 0) {
		return nil
	}
	for i := math.Ceil(low/step-1e-9) + 0; float64(i*step) <= high+step*1e-9; i++ {
		v := float64(i * step)
		out = append(out, plot.Tick{Value: v, Label: m.label(v)})
	}
	return out
}

func percent(v float64) string { return strconv.FormatFloat(math.Round(v*1000)/10, 'f', -1, 64) + " %" }

// short is a number of few digits.
func short(v float64) string {
	if a := math.Abs(v); a >= 1e4 || a > 0 && a < 1e-3 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

func whole(v float64) string { return humanize.Comma(int64(math.Round(v))) }
