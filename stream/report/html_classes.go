package report

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
)

// Limits of the page for many classes; the JSON has all.
const (
	mostInMatrix  = 12  // classes of a matrix with names; a larger one is a picture
	mostInPicture = 400 // classes of a picture
	mostListed    = 200 // classes of the list
	mostWeighed   = 24  // classes whose weights are shown, those with most examples
	mostMistakes  = 15  // kinds of mistakes that are listed
)

// classDetail is what a learner of several classes has more.
type classDetail struct {
	Head      []string // the matrix's columns: predicted classes
	Matrix    []matrixRow
	Picture   template.HTML // in place of the matrix; empty for too many classes
	Mistakes  []mistake     // the most frequent pairs
	Classes   []Class       // for the list
	Hidden    int           // classes that are not listed
	Weights   []classWeights
	Unweighed int // classes whose weights are not shown
}

type matrixRow struct {
	Name  string
	Cells []matrixCell
}

// matrixCell is an entry of the matrix. Shade, 0 to 100, is the strength of its colour.
type matrixCell struct {
	cell
	Shade int
}

type mistake struct {
	Label, Prediction string
	Count, Share      float64 // Share: of the label's examples
}

type classWeights struct {
	*Class
	Bars []bar
}

func newClassDetail(l *Learner) *classDetail {
	d := &classDetail{Classes: l.Classes, Mistakes: mistakes(l)}
	switch {
	case len(l.Classes) <= mostInMatrix:
		d.Head, d.Matrix = namedMatrix(l)
	case len(l.Classes) <= mostInPicture:
		d.Picture = confusionPicture(l)
	}
	if n := len(d.Classes) - mostListed; n > 0 {
		d.Classes, d.Hidden = d.Classes[:mostListed], n
	}
	frequent := slices.Clone(l.Classes)
	slices.SortStableFunc(frequent, func(a, b Class) int { return cmp.Compare(b.Labelled, a.Labelled) })
	if n := len(frequent) - mostWeighed; n > 0 {
		frequent, d.Unweighed = frequent[:mostWeighed], n
	}
	slices.SortStableFunc(frequent, func(a, b Class) int { return byName(a.Name, b.Name) })
	for i := range frequent {
		d.Weights = append(d.Weights, classWeights{&frequent[i], bars(frequent[i].Top)})
	}
	return d
}

// places gives the order of names by class number; model.None comes last.
func places(l *Learner) map[int]int {
	at := map[int]int{-1: len(l.Classes)}
	for place := range l.Classes {
		at[l.Classes[place].Number] = place
	}
	return at
}

// namedMatrix has a row or column for model.None if it occurred.
func namedMatrix(l *Learner) (head []string, rows []matrixRow) {
	n := len(l.Classes)
	counts := make([][]float64, n+1)
	for i := range counts {
		counts[i] = make([]float64, n+1)
	}
	at := places(l)
	for _, c := range l.Matrix {
		counts[at[c.Label]][at[c.Prediction]] += c.Count
	}
	columns := n
	if slices.ContainsFunc(l.Matrix, func(c metrics.ConfusionCount) bool { return c.Prediction < 0 }) {
		columns++
	}
	name := func(place int) string {
		if place == n {
			return noClass
		}
		return l.Classes[place].Name
	}
	for place := range columns {
		head = append(head, name(place))
	}
	for label := range counts {
		total := 0.0
		for _, count := range counts[label] {
			total += count
		}
		if label == n && total == 0 {
			continue
		}
		row := matrixRow{Name: name(label)}
		for prediction, count := range counts[label][:columns] {
			part := share(count, total)
			row.Cells = append(row.Cells, matrixCell{cell{count, part, label == prediction && label < n}, shade(part)})
		}
		rows = append(rows, row)
	}
	return head, rows
}

// shade is the root of a share, so that rare entries are visible.
func shade(share float64) int { return int(math.Round(100 * math.Sqrt(share))) }

// mistakes lists the most frequent ones.
func mistakes(l *Learner) (out []mistake) {
	labelled := labelledOf(l)
	for _, c := range model.Mistaken(l.Matrix, mostMistakes) {
		out = append(out, mistake{l.className(c.Label), l.className(c.Prediction), c.Count,
			share(c.Count, labelled[c.Label])})
	}
	return out
}

func labelledOf(l *Learner) map[int]float64 {
	labelled := map[int]float64{}
	for _, c := range l.Matrix {
		labelled[c.Label] += c.Count
	}
	return labelled
}

// strengths is how many strengths of colour a picture has.
const strengths = 10

// confusionPicture draws a square for each cell.
func confusionPicture(l *Learner) template.HTML {
	at := places(l)
	n, labelled := len(l.Classes)+1, labelledOf(l)
	var right, wrong [strengths + 1]strings.Builder
	for _, c := range l.Matrix {
		strength := max(1, (shade(share(c.Count, labelled[c.Label]))*strengths+50)/100)
		to := &wrong[strength]
		if c.Label == c.Prediction && c.Label >= 0 {
			to = &right[strength]
		}
		fmt.Fprintf(to, "M%d %dh1v1h-1z", at[c.Prediction], at[c.Label])
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" role="img" aria-label="Confusion of %d classes" `+
		`shape-rendering="crispEdges"><rect width="%d" height="%d" fill="var(--grid)"/>`, n, n, n-1, n, n)
	for i := 1; i <= strengths; i++ {
		opacity := float64(i) / strengths
		for _, of := range []struct {
			path *strings.Builder
			hue  string
		}{{&right[i], "--good"}, {&wrong[i], "--bad"}} {
			if of.path.Len() > 0 {
				fmt.Fprintf(&b, `<path fill="var(%s)" fill-opacity="%.1f" d="%s"/>`, of.hue, opacity, of.path.String())
			}
		}
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}
