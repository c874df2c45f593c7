package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner/datasets"
	"rosenblatt/stream/streamtest"
)

// crossedSet is a data set of the table of crosses. What Vowpal Wabbit makes of it is from learner/testdata/crosses.py.
type crossedSet struct {
	title, file string
	flags       []string
	namespace   bool // its libsvm becomes vw, of one namespace that can be crossed with itself
	crosses     string
	quadratic   string     // vw's
	others      [2]float64 // vw's accuracies, without and with them
}

var crossedSets = []crossedSet{
	{title: "a9a: all pairs of flags", file: "a9a/a9a", namespace: true, crosses: "a^*a^", quadratic: "-q aa",
		others: [2]float64{84.49, 84.50}},
	{title: "Elec2: the day, a word, and the time of day", file: "elec2/electricity.csv",
		flags:   []string{"--label-field", "class", "--positive", "UP", "--categorical", "day"},
		crosses: "day*period", quadratic: "-q dp", others: [2]float64{74.94, 75.13}},
	{title: "KDD 99, normal or not: protocol, service, flag", file: "kdd99/kddcup.data_10_percent.gz",
		flags:   []string{"--format", "csv", "--no-header", "--label-field", "c42", "--positive", "normal."},
		crosses: "c2*c3 c2*c4 c3*c4", quadratic: "-q ps -q pf -q sf", others: [2]float64{99.70, 99.75}},
}

const crossesLearners = "logistic logistic:rate={0.1,0.02} pa1:C={0.1,0.01,0.001} arow:r={1,10,1000} arow:floor=0.1"

const crossesText = `
## Crosses

Accuracy in percent without and with [crosses](../docs/crosses.md), of us and of Vowpal Wabbit with the same ones
(` + "`--loss_function logistic`" + `, which follows no drift). An event of a9a has 14 features, and 117 with its
pairs. So what a learner moves at one event grows eightfold, and rates that were right are too large: take
[a smaller step](../docs/crosses.md#a-smaller-step). [Runs of words](../docs/crosses.md#runs-of-words) have a table
of their own.
`

// crossesSection is the table of accuracies with and without crosses.
func crossesSection(t *testing.T) string {
	if !streamtest.Long() && !updating() {
		return sectionOf(page(t, accuracyPage), "Crosses")
	}
	text := crossesText
	for _, set := range crossedSets {
		text += set.table(t)
	}
	return text
}

func (s *crossedSet) table(t *testing.T) string {
	path := (&goldenSet{}).readable(t, datasets.Path(t, s.file))
	if s.namespace {
		path = write(t, "set.vw", inNamespace(t, path))
	}
	args := slices.Concat([]string{path, "--learner", crossesLearners}, s.flags)
	without, with := replayJSON(t, "", args...), replayJSON(t, "", append(args, "--cross", s.crosses)...)
	text := fmt.Sprintf("\n**%s**, `--cross \"%s\"`:\n\n| | learner | without | with |\n|---|---|--:|--:|\n", s.title,
		s.crosses)
	rows := slices.Clone(with.Learners)
	slices.SortStableFunc(rows, func(a, b replayedRow) int { return int(a.Mistakes - b.Mistakes) })
	for _, row := range rows {
		text += fmt.Sprintf("| **Rosenblatt** | `%s` | %.2f | %.2f |\n", row.Name,
			100*without.learner(t, row.Name).Accuracy, 100*row.Accuracy)
	}
	return text + fmt.Sprintf("| Vowpal Wabbit 9.11.9 | `%s` | %.2f | %.2f |\n", s.quadratic, s.others[0], s.others[1])
}

// inNamespace is a set in libsvm as vw, whose features are all in the namespace a.
func inNamespace(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		label, features, _ := strings.Cut(strings.TrimSpace(line), " ")
		fmt.Fprintf(&b, "%s |a %s\n", strings.TrimPrefix(label, "+"), features)
	}
	return b.String()
}

// TestSmallerStepsWithCrosses: with eight times the features, a logistic learner needs a smaller rate to be more
// accurate than without crosses, as the guide says.
func TestSmallerStepsWithCrosses(t *testing.T) {
	t.Parallel()
	if testing.Short() || streamtest.Real() {
		t.Skip("a whole set: not with -short, and without brokers only")
	}
	path := write(t, "set.vw", inNamespace(t, datasets.Path(t, "a9a/a9a")))
	without := replayJSON(t, "", path, "--learner", "logistic logistic:rate=0.1")
	with := replayJSON(t, "", path, "--learner", "logistic logistic:rate=0.02", "--cross", "a^*a^")
	alone, crossed := without.learner(t, "logistic:rate=0.1"), with.learner(t, "logistic:rate=0.02")
	if crossed.Mistakes >= alone.Mistakes {
		t.Errorf("%d mistakes with crosses, %d without", crossed.Mistakes, alone.Mistakes)
	}
	if fast := with.learner(t, "logistic"); fast.Mistakes <= without.learner(t, "logistic").Mistakes {
		t.Errorf("%d mistakes with crosses and the default rate: does the guide still have to warn?", fast.Mistakes)
	}
}
