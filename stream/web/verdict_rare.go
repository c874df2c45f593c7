package web

import (
	"encoding/json"
	"fmt"

	"github.com/dustin/go-humanize"

	"rosenblatt/learner/metrics"
)

// enoughOfRare is from how many examples of the rarer label on its last 10,000 examples say something.
const enoughOfRare = 20

// rare is where one of two labels is rare: the figures to judge by, and which label it is.
type rare struct {
	*metrics.Figures
	share     float64 // of the rarer label
	positive  bool    // it is the positive one
	over      string  // the examples
	few, n    float64 // examples of the rarer label, and of all
	positives float64
	names     [2]string // of the negative and the positive label
}

// rare is of the last 10,000 examples, or of all where those have too few of one label. False: no label is rare.
func (v *view) rare() (r rare, found bool) {
	r.Figures, r.over = &v.Score.Last10000, "last "+humanize.Comma(min(v.Score.Examples, metrics.LongWindow))
	if r.count(); r.few < enoughOfRare {
		r.Figures, r.over = &v.Score.Figures, humanize.Comma(v.Score.Examples)
		r.count()
	}
	r.share, r.positive, found = r.Rare()
	r.names = [2]string{spelled(v.Labels[0]), spelled(v.Labels[1])}
	return r, found
}

func (r *rare) count() {
	c := &r.Confusion
	r.positives = c.TruePositive + c.FalseNegative
	negatives := c.TrueNegative + c.FalsePositive
	r.few, r.n = min(r.positives, negatives), r.positives+negatives
}

// spelled is a label without the quotes of JSON.
func spelled(label string) string {
	var text string
	if json.Unmarshal([]byte(label), &text) == nil {
		label = text
	}
	return oneLine(clip(label, maxName))
}

// rareVerdict judges by average precision: who never predicts the rare label is right nearly always.
func (s *Server) rareVerdict(v *view) (b verdictBody, found bool) {
	r, found := v.rare()
	if !found {
		return b, false
	}
	is, positive := r.names[0], r.names[1]
	if r.positive {
		is = positive
	}
	of := fmt.Sprintf("%s of the %s labelled examples (%.2g %%) were %s", humanize.Comma(int64(r.few)), r.over,
		100*r.share, is)
	if !r.positive {
		of += fmt.Sprintf(", which is not the positive label: --label-names %s,%s makes it so", positive, is)
	}
	average, known := r.AveragePrecision.Get()
	if r.n < enoughExamples || r.few < enoughOfRare || !known {
		return verdictBody{Title: "Too early to tell", Text: of + "."}, true
	}
	// The errors of an average precision: Boyd, Eng and Page, Area under the precision-recall curve (2013).
	chance, positives := r.Positives.Value(), int64(r.positives)
	against := compare(average, chance, positives, int64(r.n), errorsOfBaseline)
	b.Level = [...]string{"worse", "same", "better"}[against+1]
	b.Title = [...]string{"Worse than chance", "No better than chance", "Better than chance"}[against+1] +
		" at finding " + positive
	b.Text = fmt.Sprintf("%s. Average precision is %.3f, against %.3f by chance%s. %s", of, average, chance,
		perhaps(against, average, chance), r.alarms())
	title, then := s.rareTrend(v, average, positives)
	b.Title, b.Text = b.Title+title, b.Text+then
	return b, true
}

// alarms says what the predictions of the positive label were worth.
func (r *rare) alarms() string {
	precision, known := r.Precision.Get()
	if !known {
		return r.names[1] + " was never predicted: the learner's positive-weight moves the boundary."
	}
	return fmt.Sprintf("%.1f %% of the predictions of %s were right (precision), and %.1f %% of it was found (recall).",
		100*precision, r.names[1], 100*r.Recall.Value())
}

// rareTrend is trend for average precisions, which are over the last 10,000.
func (s *Server) rareTrend(v *view, average float64, positives int64) (title, text string) {
	then, ok := s.past.before(v.now.Add(-trendAfter), metrics.LongWindow, v.Score.Examples-metrics.LongWindow)
	was, known := then.averagePrecision.Get()
	if !ok || !known {
		return "", tooEarlyToCompare
	}
	trend := compare(average, was, positives, int64(then.positives), errorsOfTrend)
	return compared(v, then, trend, fmt.Sprintf("%.3f%s", was, perhaps(trend, average, was)))
}
