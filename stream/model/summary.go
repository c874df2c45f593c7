package model

import (
	"cmp"
	"slices"
	"time"

	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
)

// How much a summary holds.
const (
	summaryWeights = 100 // of a binary task: more than a page shows, for comparison
	summaryClasses = 12  // the most frequent ones
	classWeights   = 24  // of each of them
	summaryPairs   = 12  // kinds of mistakes
)

// Summary is a saved model for people, made from a checkpoint's copy. It is immutable. Classes are JSON, as in
// predictions.
type Summary struct {
	Seq     int64 // of the last prediction it has learned from
	At      time.Time
	Learner string         // whose it is, of several
	Weights []ClassWeights // one of a binary task; of several classes those of the most frequent ones
	Matrix  *Matrix        // of several classes, else nil: a binary task's is in its score
}

// ClassWeights are the largest weights of a class.
type ClassWeights struct {
	Class string                `json:"class"` // "" of a binary task: the weights are those of the positive label
	Bias  float64               `json:"bias"`
	Top   []learner.NamedWeight `json:"top"`
	All   bool                  `json:"-"` // the model has no further weights
}

// Matrix is the confusion matrix of the most frequent classes.
type Matrix struct {
	Classes []string     // those with most examples, most first
	Cells   [][]float64  // by label and by prediction, in the order of Classes; the last is for all others and none
	Fading  [][]float64  // the same with weights falling by metrics.Fade
	Pairs   []Confusions // the most frequent mistakes, most first
}

// Confusions counts predictions of one class for another. null: unknown or none.
type Confusions struct {
	Label, Prediction string
	Count             float64
}

// Summarize presents a model that has learned up to seq.
func Summarize(p *Processor, seq int64) *Summary {
	s := &Summary{Seq: seq, At: time.Now(), Learner: p.Champion()}
	p.shown().task.summarize(s)
	return s
}

func weightsOf(t task, name string, class, most int) ClassWeights {
	top := t.top(class, most)
	return ClassWeights{Class: name, Bias: t.bias(class), Top: top, All: len(top) < most}
}

// frequent lists classes by examples, most first, equal ones in the order of discovery.
func frequent(confusion []metrics.ConfusionCount, classes int) []int {
	count := make([]float64, classes)
	for _, c := range confusion {
		if c.Label >= 0 {
			count[c.Label] += c.Count
		}
	}
	order := make([]int, classes)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(count[b], count[a]) })
	return order[:min(summaryClasses, classes)]
}

// Mistaken lists the most frequent mistakes, most first.
func Mistaken(confusion []metrics.ConfusionCount, most int) []metrics.ConfusionCount {
	wrong := slices.DeleteFunc(slices.Clone(confusion), func(c metrics.ConfusionCount) bool {
		return c.Label == c.Prediction && c.Label >= 0
	})
	slices.SortStableFunc(wrong, func(a, b metrics.ConfusionCount) int { return cmp.Compare(b.Count, a.Count) })
	return wrong[:min(most, len(wrong))]
}

func matrixOf(confusion []metrics.ConfusionCount, names []string, shown []int) *Matrix {
	m := &Matrix{}
	column := make(map[int]int, len(shown))
	for i, c := range shown {
		column[c] = i
		m.Classes = append(m.Classes, names[c])
	}
	place := func(class int) int {
		if i, ok := column[class]; ok {
			return i
		}
		return len(shown)
	}
	name := func(class int) string {
		if class < 0 {
			return "null"
		}
		return names[class]
	}
	n := len(shown) + 1
	for range n {
		m.Cells, m.Fading = append(m.Cells, make([]float64, n)), append(m.Fading, make([]float64, n))
	}
	for _, c := range confusion {
		m.Cells[place(c.Label)][place(c.Prediction)] += c.Count
		m.Fading[place(c.Label)][place(c.Prediction)] += c.Fading
	}
	for _, c := range Mistaken(confusion, summaryPairs) {
		m.Pairs = append(m.Pairs, Confusions{name(c.Label), name(c.Prediction), c.Count})
	}
	return m
}
