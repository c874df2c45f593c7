package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"rosenblatt/learner/metrics"
)

// mostInTable is how many classes the text has of a learner, those with most examples; JSON and CSV have all.
const mostInTable = 20

// classTables are the figures of each of several classes, of the best learners, below the table.
func (r *Report) classTables() string {
	var b strings.Builder
	for i := range r.Learners[:min(mostByLabel, len(r.Learners))] {
		if l := &r.Learners[i]; len(l.Classes) > 0 {
			l.classTable(&b)
		}
	}
	return b.String()
}

func (l *Learner) classTable(b *strings.Builder) {
	classes, more := l.Classes, len(l.Classes)-mostInTable
	if more > 0 {
		classes = slices.Clone(classes)
		slices.SortStableFunc(classes, func(a, b Class) int { return int(b.Labelled) - int(a.Labelled) })
		classes = classes[:mostInTable]
	}
	fmt.Fprintf(b, "\n%s, by class:\n", l.Name)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, support float64, figures ...metrics.Optional) {
		fmt.Fprintf(t, "%s\t%.0f", name, support)
		for _, f := range figures {
			fmt.Fprint(t, "\t", cellText(f))
		}
		fmt.Fprint(t, "\t\n")
	}
	fmt.Fprint(t, "class\texamples\tprecision\trecall\tF1\t\n")
	for i := range classes {
		c := &classes[i]
		row(c.Name, c.Labelled, c.Precision(), c.Recall(), c.F1())
	}
	all := float64(l.Examples)
	row("macro mean", all, l.Precision, l.Recall, l.F1)
	row("weighted mean", all, l.WeightedPrecision, l.WeightedRecall, l.WeightedF1)
	_ = t.Flush() // into memory
	if more > 0 {
		fmt.Fprintf(b, "and %d classes with fewer examples: --json and --csv have all\n", more)
	}
}

// cellText is a figure, or a dash for an absent one.
func cellText(o metrics.Optional) string {
	if x, known := o.Get(); known {
		return figure(x)
	}
	return "-"
}

// classHead are the columns of Curves that rows of classes have more.
func classHead() []string {
	head := []string{"class"}
	for i, scope := range metrics.Scopes {
		head = append(head, scoped(i, scope.Name, "support"))
	}
	return head
}

// scoped is the name of a column: figures over all bear no scope.
func scoped(scope int, name, figure string) string {
	if scope == 0 {
		return figure
	}
	return name + "_" + figure
}

// row is a class in Curves: precision, recall and F1 are under the names that they have of all classes. Examples and
// mistakes are those of the class. The cells are of the columns of classHead.
func (c *Class) row() (row metrics.Row, cells []string) {
	row = metrics.Row{Examples: int64(c.Labelled), Mistakes: int64(c.Labelled - c.Right)}
	cells = []string{c.Name}
	for i, scope := range metrics.Scopes {
		f, to := c.Scopes[i].Figures(), scope.Of(&row)
		to.Precision, to.Recall, to.F1 = f.Precision, f.Recall, f.F1
		cells = append(cells, strconv.FormatFloat(f.Support, 'g', -1, 64))
	}
	return row, cells
}
