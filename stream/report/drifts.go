package report

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/dustin/go-humanize/english"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"rosenblatt/stream/model"
)

// addDrifts marks drifts on a curve, whose points are in order.
func addDrifts(p *plot.Plot, drifts []model.Drifted, curve plotter.XYs, c color.Color) error {
	var at plotter.XYs
	for _, x := range drifts {
		at = append(at, plotter.XY{X: float64(x.Example), Y: heightAt(curve, float64(x.Example))})
	}
	if len(at) == 0 {
		return nil
	}
	marks, err := plotter.NewScatter(at)
	if err != nil {
		return err
	}
	marks.Color, marks.Radius, marks.Shape = c, 5, draw.RingGlyph{}
	p.Add(marks)
	return nil
}

// heightAt is a curve's height at x, between two points on the line.
func heightAt(curve plotter.XYs, x float64) float64 {
	for i := range curve {
		if curve[i].X < x {
			continue
		}
		if i == 0 {
			return curve[0].Y
		}
		a, b := curve[i-1], curve[i]
		return a.Y + float64((b.Y-a.Y)*((x-a.X)/(b.X-a.X)))
	}
	return curve[len(curve)-1].Y
}

// latestDrifts are those that are known one by one.
func (l *Learner) latestDrifts() []model.Drifted {
	if l.Drift == nil {
		return nil
	}
	return l.Drift.List
}

// driftNotes has a line for each learner that has drifted.
func (r *Report) driftNotes() string {
	var b strings.Builder
	for i := range r.Learners {
		if d := r.Learners[i].Drift; d != nil && d.Drifts > 0 {
			fmt.Fprintf(&b, "%s: %s, %s\n", r.Learners[i].Name, english.Plural(int(d.Drifts), "drift", ""),
				driftText(d))
		}
	}
	return b.String()
}

// namedDrifts is how many drifts a line names.
const namedDrifts = 5

// driftText says at which examples the latest drifts were.
func driftText(d *model.DriftReport) string {
	latest := d.List[max(0, len(d.List)-namedDrifts):]
	var at []string
	for _, x := range latest {
		at = append(at, whole(float64(x.Example)))
	}
	text := "at example " + english.OxfordWordSeries(at, "and")
	if len(latest) > 1 {
		text = "at examples " + english.OxfordWordSeries(at, "and")
	}
	if int64(len(latest)) < d.Drifts {
		text = "the latest " + text
	}
	if last := latest[len(latest)-1]; last.Reset {
		text += ", where the learner began anew"
	}
	return text
}
