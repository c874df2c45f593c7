package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rosenblatt/learner/metrics"
)

// labelCount is of how many examples of a label another one was predicted.
type labelCount struct {
	Label    string `json:"label"`
	Examples int64  `json:"examples"`
	Mistakes int64  `json:"mistakes"`
}

// byLabel lists the labels of a learner's examples: the negative one first, or classes by name.
func (r *Report) byLabel(l *Learner) (out []labelCount) {
	add := func(label string, right, all float64) {
		if all > 0 {
			out = append(out, labelCount{label, int64(all), int64(all - right)})
		}
	}
	for i := range l.Classes {
		add(l.Classes[i].Name, l.Classes[i].Right, l.Classes[i].Labelled)
	}
	if c := l.Confusion; !r.Macro {
		add(r.Labels[0], c.TrueNegative, c.TrueNegative+c.FalsePositive)
		add(r.Labels[1], c.TruePositive, c.TruePositive+c.FalseNegative)
	}
	return out
}

// Limits of the lines below the table; the JSON has all.
const (
	mostByLabel = 3 // learners whose mistakes are listed by label, the best ones
	mostLabels  = 6 // labels of a line, those with most mistakes
)

// mistakes are lines that say of which labels the mistakes are.
func (r *Report) mistakes() string {
	var b strings.Builder
	for i := range r.Learners[:min(mostByLabel, len(r.Learners))] {
		l := &r.Learners[i]
		if text := byLabelText(r.byLabel(l)); text != "" {
			fmt.Fprintf(&b, "%s: %s\n", l.Name, text)
		}
	}
	return b.String()
}

// byLabelText lists the labels with most mistakes.
func byLabelText(labels []labelCount) string {
	if more := len(labels) - mostLabels; more > 0 {
		slices.SortStableFunc(labels, func(a, b labelCount) int { return cmp.Compare(b.Mistakes, a.Mistakes) })
		labels = append(labels[:mostLabels:mostLabels], labelCount{Label: fmt.Sprintf("%d more", more)})
	}
	var parts []string
	for _, c := range labels {
		if c.Examples == 0 {
			parts = append(parts, c.Label)
			continue
		}
		parts = append(parts, fmt.Sprintf("label %s: %d of %d wrong", c.Label, c.Mistakes, c.Examples))
	}
	return strings.Join(parts, ", ")
}

// Mistakes says of which labels the mistakes of a task are: of two, as they are named, or of classes in the order of
// their discovery. It is empty without labelled examples.
func Mistakes(labels [2]string, score *metrics.Report, classes []string, confusion []metrics.ConfusionCount) string {
	r := &Report{About: About{Labels: labels}, Macro: len(classes) > 0}
	return byLabelText(r.byLabel(&Learner{Report: *score, Classes: countClasses(classes, confusion)}))
}
