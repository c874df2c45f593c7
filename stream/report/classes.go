package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
)

// Class is one of several classes. Counts are over all examples.
type Class struct {
	Name      string // as event.Example.Class has it
	Number    int    // in the order of discovery
	Labelled  float64
	Predicted float64
	Right     float64
	Scopes    metrics.ClassRow // the same counts in each scope
	Bias      float64
	Top       []learner.NamedWeight // the largest weights; in ovo sums over the pairs of the class
}

// Precision is the share of its predictions that were correct, 0 to 1.
func (c *Class) Precision() metrics.Optional { return metrics.Quotient(c.Right, c.Predicted) }

// Recall is the share of its examples that were predicted correctly, 0 to 1.
func (c *Class) Recall() metrics.Optional { return metrics.Quotient(c.Right, c.Labelled) }

// F1 is the harmonic mean of precision and recall.
func (c *Class) F1() metrics.Optional { return metrics.Quotient(2*c.Right, c.Labelled+c.Predicted) }

func share(n, of float64) float64 {
	if of == 0 {
		return 0
	}
	return n / of
}

// classTop is how many weights of each class are kept.
const classTop = 10

const noClass = "(no class)"

// classesOf lists a learner's classes as countClasses does.
func classesOf(p *model.Processor, confusion []metrics.ConfusionCount) []Class {
	out := countClasses(p.Classes(), confusion)
	rows := p.ByClass()
	for i := range out {
		c := &out[i]
		if c.Number < len(rows) {
			c.Scopes = rows[c.Number]
		}
		c.Bias, c.Top = p.Bias(c.Number), p.Top(c.Number, classTop)
	}
	return out
}

// countClasses lists classes by name, numbers by value.
func countClasses(names []string, confusion []metrics.ConfusionCount) []Class {
	out := make([]Class, len(names))
	for i, name := range names {
		out[i] = Class{Name: name, Number: i}
	}
	for _, c := range confusion {
		if c.Label >= 0 {
			out[c.Label].Labelled += c.Count
		}
		if c.Prediction >= 0 {
			out[c.Prediction].Predicted += c.Count
		}
		if c.Label >= 0 && c.Label == c.Prediction {
			out[c.Label].Right += c.Count
		}
	}
	slices.SortStableFunc(out, func(a, b Class) int { return byName(a.Name, b.Name) })
	return out
}

// byName orders names: numbers first, by value.
func byName(a, b string) int {
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	numberA, numberB := errA == nil && !math.IsNaN(x), errB == nil && !math.IsNaN(y)
	switch {
	case numberA && numberB:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	case numberA:
		return -1
	case numberB:
		return 1
	}
	return cmp.Compare(a, b)
}

func (l *Learner) className(number int) string {
	for i := range l.Classes {
		if l.Classes[i].Number == number {
			return l.Classes[i].Name
		}
	}
	return noClass
}
