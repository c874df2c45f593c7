package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner/datasets"
	"rosenblatt/stream/streamtest"
)

// elsewhere is an accuracy, in percent, that others publish for a data set.
type elsewhere struct {
	program, learner string
	accuracy         float64
	source           int // in accuracySources
}

// accuracySet is a data set of the table of accuracies, with what runs on it.
type accuracySet struct {
	title, file string
	flags       []string
	learners    string
	others      []elsewhere
}

var accuracySources = []string{
	"River's page of benchmarks, `docs/benchmarks` of github.com/online-ml/river at commit 7468665, read on" +
		" 2026-11-23 (it leaves the first example out)",
	"CapyMOA's notebook of 2024-07-25, `notebooks/00_getting_started.ipynb` of" +
		" github.com/adaptive-machine-learning/CapyMOA at commit 0393d9b, read on 2026-11-23",
}

const (
	inRiver = iota
	inCapyMOA
)

const (
	linearLearners = "perceptron averaged:window=100 pa1:C={0.1,1} arow:floor={0,0.1} logistic" +
		" logistic:rate={0.1,1},window=0 alma"
	kernelLearners = " dual:kernel=rbf,gamma={0.1,2},predict={last,mean} dual:kernel=rbf,gamma={0.1,2},update=pa1,C=0.1"
)

var accuracySets = []accuracySet{
	{"Elec2", "elec2/electricity.csv", []string{"--label-field", "class", "--positive", "UP"}, linearLearners,
		[]elsewhere{
			{"River", "ALMA", 90.64, inRiver}, {"River", "Leveraging Bagging", 89.27, inRiver},
			{"River", "Adaptive Random Forest", 87.66, inRiver}, {"River", "Logistic regression", 82.21, inRiver},
			{"River", "k-Nearest Neighbors", 85.31, inRiver}, {"River", "Last Class", 85.33, inRiver},
			{"CapyMOA", "OnlineBagging", 82.07, inCapyMOA}, {"CapyMOA", "HoeffdingTree", 81.66, inCapyMOA},
		}},
	{"Elec2, labels a day (48 events) late", "elec2/electricity.csv",
		[]string{"--label-field", "class", "--positive", "UP", "--delay", "48"}, linearLearners, nil},
	{"Elec2, shuffled", "elec2/electricity.csv",
		[]string{"--label-field", "class", "--positive", "UP", "--shuffle"}, linearLearners, nil},
	{"Phishing", "phishing/phishing.csv.gz", []string{"--label-field", "is_phishing"}, linearLearners + kernelLearners,
		[]elsewhere{
			{"River", "Streaming Random Patches", 91.35, inRiver}, {"River", "Adaptive Random Forest", 90.79, inRiver},
			{"River", "sklearn SGDClassifier", 88.96, inRiver}, {"River", "Logistic regression", 88.72, inRiver},
			{"River", "ALMA", 82.56, inRiver}, {"River", "Last Class", 51.56, inRiver},
		}},
	{"Bananas", "bananas/banana.zip", []string{"--format", "libsvm", "--scale", "standard"},
		"perceptron logistic alma" + kernelLearners, []elsewhere{
			{"River", "Aggregated Mondrian Forest", 88.94, inRiver},
			{"River", "Adaptive Random Forest", 88.70, inRiver}, {"River", "k-Nearest Neighbors", 88.51, inRiver},
			{"River", "Logistic regression", 54.32, inRiver},
			{"River", "ALMA", 50.64, inRiver}, {"River", "Last Class", 50.95, inRiver},
		}},
	{"ImageSegments", "segment/segment.csv", []string{"--label-field", "category", "--task", "multiclass",
		"--multiclass", "direct,ovo", "--bits", "14"},
		"perceptron averaged pa1:C=0.1 arow logistic dual:kernel=rbf,gamma=0.1,update=pa1", []elsewhere{
			{"River", "Aggregated Mondrian Forest", 90.17, inRiver}, {"River", "k-Nearest Neighbors", 87.35, inRiver},
			{"River", "Adaptive Random Forest", 81.85, inRiver}, {"River", "Naive Bayes", 73.19, inRiver},
			{"River", "Last Class", 14.81, inRiver},
		}},
	{"Digits", "digits/digits.csv.gz", []string{"--label-field", "c64", "--task", "multiclass", "--multiclass",
		"direct,ovo", "--bits", "14"},
		"perceptron averaged pa1:C=0.1 arow logistic dual:kernel=rbf,gamma=0.01,update=pa1", nil},
}

const accuracyPage = "cmd/rosenblatt/reference/accuracy.md"

const accuracyText = `# Accuracy

What ` + "`rosenblatt replay`" + ` gives on public data sets, each event predicted before it is learned, in one pass in
the order of the file, beside what others publish for the same sets. Made by

    ROSENBLATT_UPDATE_GOLDEN=1 go test ./cmd/rosenblatt -run ReferenceOfAccuracy

Parameters are defaults where none are written, and features are in standard scale. The best of several rows is best by
chance too. Each row has the baselines of its set: no-change predicts the label before, majority the most frequent so
far. For Digits neither River's page nor CapyMOA's notebooks have prequential figures: its rows are ours alone.
How the default of ` + "`logistic`" + ` was found: [Learners](learners.md#the-rate-of-logistic).

**What Elec2 measures.** Its labels come in runs: 85.3 % are the label before. Whatever is below that is worse than
predicting the last label again, and whoever forgets fast follows the runs (Žliobaitė et al., *Machine Learning* 98,
2015). Two more tables show how much that is. With labels that come a day late nobody knows which run it is. Shuffled,
the events have no runs, and what is left is how well a line tells the labels apart.
`

// accuracyRow is a row of the table, of us or of others.
type accuracyRow struct {
	program, learner, source string
	accuracy                 float64
}

// longSets take seconds each: kernels, or several classes. TestReplayGolden has counts of these sets too.
var longSets = []string{"Bananas", "ImageSegments", "Digits"}

// TestReferenceOfAccuracy: the page has the accuracies that replay gives today; those of longSets are computed with
// ROSENBLATT_TEST_LONG, or to write the page.
func TestReferenceOfAccuracy(t *testing.T) {
	t.Parallel()
	if testing.Short() || streamtest.Real() {
		t.Skip("many learners over many sets: not with -short, and without brokers only")
	}
	text := accuracyText
	for _, set := range accuracySets {
		if slices.Contains(longSets, set.title) && !streamtest.Long() && !updating() {
			text += sectionOf(page(t, accuracyPage), set.title)
			continue
		}
		path := (&goldenSet{}).readable(t, datasets.Path(t, set.file))
		t.Run(set.title, func(t *testing.T) {
			args := slices.Concat(set.flags, []string{path, "--learner", set.learners})
			text += set.section(replayJSON(t, "", args...))
		})
	}
	text += crossesSection(t)
	text += scaleSection(t)
	text += "\n## Sources\n\n"
	for i, source := range accuracySources {
		text += fmt.Sprintf("%d. %s.\n", i+1, source)
	}
	upToDate(t, accuracyPage, text)
}

// sectionOf is a section of a page as it is, from the line before its heading.
func sectionOf(page, title string) string {
	_, section, _ := strings.Cut(page, "\n## "+title+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	return "\n## " + title + "\n" + section
}

// section is the table of a set.
func (s *accuracySet) section(got replayed) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n| | learner | accuracy %% | no-change | majority | |\n|---|---|--:|--:|--:|---|\n",
		s.title)
	for _, row := range s.rows(got) {
		fmt.Fprintf(&b, "| %s | %s | %.2f | %.2f | %.2f | %s |\n", row.program, row.learner, row.accuracy,
			100*got.Baselines[0].Accuracy, 100*got.Baselines[1].Accuracy, row.source)
	}
	return b.String()
}

// rows are ours and those of others, the most accurate first.
func (s *accuracySet) rows(got replayed) (rows []accuracyRow) {
	for _, l := range got.Learners {
		rows = append(rows, accuracyRow{"**Rosenblatt**", "`" + l.Name + "`", "", 100 * l.Accuracy})
	}
	for _, p := range s.others {
		rows = append(rows, accuracyRow{p.program, p.learner, fmt.Sprintf("[%d](#sources)", p.source+1), p.accuracy})
	}
	slices.SortStableFunc(rows, func(a, b accuracyRow) int { return int(1e6 * (b.accuracy - a.accuracy)) })
	return rows
}
