package report

import (
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string

	// Parsed at the first use, since most commands write no page.
	pageTemplate = sync.OnceValue(func() *template.Template {
		return template.Must(template.New("page").Funcs(template.FuncMap{
			"percent":   percentage,
			"optional":  optional,
			"weight":    func(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) },
			"count":     humanize.Comma,
			"counted":   whole,
			"breakable": breakable,
			"cost":      costText,
			"short":     short,
		}).Parse(pageText))
	})
)

// breakable allows line breaks after punctuation.
func breakable(name string) template.HTML {
	escaped := template.HTMLEscapeString(name)
	for _, sign := range []string{":", ",", "="} {
		escaped = strings.ReplaceAll(escaped, sign, sign+"<wbr>")
	}
	return template.HTML(escaped)
}

type page struct {
	*Report
	Heading      string
	Style        template.CSS
	Leading      string        // what the curves are of
	Curves       template.HTML // for a wide window
	NarrowCurves template.HTML
	Keys         []key
	Scopes       []scope
	Details      []detail
	Reasons      string
	Probable     bool
	More         int64 // rejected records that are not listed
	Later        *lateSection
	Profiled     *fieldSection
	Seconds      string
	Drifting     bool // a learner that is drawn has drifted
}

type detail struct {
	*Learner
	Key         key
	Cells       [2][2]cell    // by label, by prediction; positive first
	Reliability template.HTML // empty for a learner without probabilities
	PR, ROC     template.HTML // the curves of two labels, empty where one is missing
	Costs       *costs        // likewise nil
	CostByCut   template.HTML
	CutByTime   template.HTML
	BySlice     []sliceRow // most mistakes first
	MoreSlices  int        // that are not listed
	Unseen      []string   // that a field is in no event
	Weights     []bar
	Several     *classDetail // of several classes, shown in the place of Cells and Weights
}

type cell struct {
	Count float64
	Share float64 // of the label's examples
	Right bool
}

// bar is a weight with its length in percent.
type bar struct {
	learner.NamedWeight
	Length int
}

// HTML writes the report as one self-contained page.
func (r *Report) HTML(w io.Writer) error {
	p := &page{Report: r, Heading: cmp.Or(r.Title, r.Source), Style: template.CSS(pageStyle),
		Keys: keys(r.drawn()), Reasons: reasons(r.Rejected)}
	p.Later, p.Profiled = newLateSection(r.Joined), newFieldSection(r.Fields)
	p.Seconds, p.Probable = r.Took.Round(time.Millisecond).String(), r.probable()
	p.More = total(r.Rejected) - int64(len(r.Rejects))
	p.Leading, _ = r.leading()
	p.Drifting = slices.ContainsFunc(r.drawn(), func(l line) bool { return len(l.drifts) > 0 })
	var err, errNarrow error
	p.Curves, err = r.curves(wide)
	p.NarrowCurves, errNarrow = r.curves(narrow)
	if err := cmp.Or(err, errNarrow); err != nil {
		return err
	}
	p.Scopes = r.scopes()
	for i := range r.Learners {
		k := key{Name: r.Learners[i].Name, Color: "var(--soft)"}
		if i < 2*hues {
			k = p.Keys[i]
		}
		d, err := newDetail(&r.Learners[i], k, r.costsOf(&r.Learners[i]))
		if err != nil {
			return err
		}
		p.Details = append(p.Details, d)
	}
	return pageTemplate().Execute(w, p)
}

func newDetail(l *Learner, k key, c *costs) (d detail, err error) {
	d = detail{Learner: l, Key: k, Costs: c,
		BySlice: slicesOf(l), Cells: matrix(l.Confusion), Weights: bars(l.Top), Several: newClassDetail(l)}
	if d.MoreSlices = max(0, len(d.BySlice)-mostSlices); d.MoreSlices > 0 {
		d.BySlice = d.BySlice[:mostSlices]
	}
	for _, field := range metrics.Unseen(l.Slices) {
		d.Unseen = append(d.Unseen, field.UnseenText())
	}
	if l.Calibration != nil {
		if d.Reliability, err = calibrationPlot(l.Calibration, l.Name); err != nil {
			return d, err
		}
	}
	if l.Cuts != nil {
		if d.PR, err = precisionPlot(l); err != nil {
			return d, err
		}
		if d.ROC, err = rocPlot(l); err != nil {
			return d, err
		}
		if d.CostByCut, err = costPlot(l, c); err != nil {
			return d, err
		}
		d.CutByTime, err = thresholdPlot(l)
	}
	return d, err
}

// bars are scaled to the largest weight.
func bars(top []learner.NamedWeight) (out []bar) {
	most := 0.0
	for _, w := range top {
		most = max(most, math.Abs(w.Weight))
	}
	for _, w := range top {
		out = append(out, bar{w, int(math.Round(100 * math.Abs(w.Weight) / most))})
	}
	return out
}

func matrix(c metrics.Confusion) [2][2]cell {
	of := func(n, other float64, right bool) cell { return cell{n, share(n, n+other), right} }
	return [2][2]cell{
		{of(c.TruePositive, c.FalseNegative, true), of(c.FalseNegative, c.TruePositive, false)},
		{of(c.FalsePositive, c.TrueNegative, false), of(c.TrueNegative, c.FalsePositive, true)},
	}
}
