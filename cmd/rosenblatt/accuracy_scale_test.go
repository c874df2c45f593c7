package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner/datasets"
	"rosenblatt/stream/streamtest"
)

// scaledSet is a data set of the table of ways of scaling: one of others, or one that is made.
type scaledSet struct {
	title, file string
	flags       []string
	made        func(r *rand.Rand) (label int, features string) // of an event in JSON
}

var scaledSets = []scaledSet{
	{title: "Elec2", file: "elec2/electricity.csv", flags: []string{"--label-field", "class", "--positive", "UP"}},
	{title: "Phishing", file: "phishing/phishing.csv.gz", flags: []string{"--label-field", "is_phishing"}},
	{title: "Bananas", file: "bananas/banana.zip", flags: []string{"--format", "libsvm"}},
	{title: "a9a: flags", file: "a9a/a9a", flags: []string{"--format", "libsvm"}},
	{title: "rcv1: words by tf-idf", file: "rcv1_small/rcv1_small.dat", flags: []string{"--format", "vw", "--bits",
		"20"}},
	{title: "KDD 99, normal or not", file: "kdd99/kddcup.data_10_percent.gz", flags: []string{"--format", "csv",
		"--no-header", "--label-field", "c42", "--positive", "normal."}},
	{title: "Digits, ovo", file: "digits/digits.csv.gz", flags: []string{"--label-field", "c64", "--task", "multiclass",
		"--multiclass", "ovo", "--bits", "14"}},
	{title: "ImageSegments, ovo", file: "segment/segment.csv", flags: []string{"--label-field", "category", "--task",
		"multiclass", "--multiclass", "ovo", "--bits", "14"}},
	{title: "made: flags of words, separable", made: separableWords},
	{title: "made: flags of words", made: func(r *rand.Rand) (int, string) { return words(r, false) }},
	{title: "made: counts of words", made: func(r *rand.Rand) (int, string) { return words(r, true) }},
	{title: "made: one of 40, 0 and 1 as numbers", made: func(r *rand.Rand) (int, string) { return oneOf(r, true) }},
	{title: "made: one of 40, the 1 only", made: func(r *rand.Rand) (int, string) { return oneOf(r, false) }},
	{title: "made: two large numbers and flags", made: numbersAndFlags},
	{title: "made: 12 numbers, 5 % missing", made: func(r *rand.Rand) (int, string) { return missing(r, 0.05) }},
	{title: "made: 12 numbers, half of them missing",
		made: func(r *rand.Rand) (int, string) { return missing(r, 0.5) }},
}

// madeEvents is how many events a made set has.
const madeEvents = 10_000

// importance is how much the k-th of some features says, between -1 and 1.
func importance(k int) float64 { return math.Mod(float64(k)*0.618034, 1)*2 - 1 }

func members(features map[int]float64, name string) string {
	var out []string
	for k := range 1000 {
		if v, has := features[k]; has {
			out = append(out, fmt.Sprintf(`"%s%d":%g`, name, k, v))
		}
	}
	return strings.Join(out, ",")
}

func side(score float64) int {
	if score > 0 {
		return 1
	}
	return -1
}

// separableWords: messages begin with one of two words, or with one of two others if they are spam.
func separableWords(r *rand.Rand) (int, string) {
	x, label := map[int]float64{0: 1}, side(r.Float64()-0.7)
	x[100+10*label+r.IntN(2)] = 1
	for range 2 {
		x[1+r.IntN(5)] = 1
	}
	return label, members(x, "w")
}

// words: each word has its importance, as a flag or as often as it is there.
func words(r *rand.Rand, counts bool) (int, string) {
	x, score := map[int]float64{}, 0.3*r.NormFloat64()
	for range 3 + r.IntN(20) {
		x[int(400*math.Pow(r.Float64(), 3))]++
	}
	for k := range 1000 {
		if x[k] > 1 && !counts {
			x[k] = 1
		}
		score += float64(importance(k) * x[k])
		if x[k] == 0 {
			delete(x, k)
		}
	}
	return side(score), members(x, "w")
}

// oneOf: four columns of ten values each are a number for each value.
func oneOf(r *rand.Rand, zeros bool) (int, string) {
	x, score := map[int]float64{}, 0.2*r.NormFloat64()
	for column := range 4 {
		k := 10*column + int(10*math.Pow(r.Float64(), 2))
		score += importance(k)
		x[k] = 1
		for other := 10 * column; zeros && other < 10*column+10; other++ {
			x[other] += 0
		}
	}
	return side(score), members(x, "v")
}

func numbersAndFlags(r *rand.Rand) (int, string) {
	a, b := r.NormFloat64(), r.NormFloat64()
	x, score := map[int]float64{0: 300 + 20*a, 1: 0.002 + 0.0005*b}, a-b
	for range 4 {
		k := 2 + int(40*math.Pow(r.Float64(), 2))
		score += (1 - x[k]) * importance(k)
		x[k] = 1
	}
	return side(score), members(x, "f")
}

// missing: a number that is missing says nothing.
func missing(r *rand.Rand, share float64) (int, string) {
	x, score := map[int]float64{}, 0.2*r.NormFloat64()
	for k := range 12 {
		if v := r.NormFloat64(); r.Float64() >= share || k == 11 && len(x) == 0 {
			x[k] = (3 + v) * math.Pow(10, float64(k%4))
			score += float64(importance(k) * v)
		}
	}
	return side(score), members(x, "n")
}

// scales are the columns of the table.
var scales = []string{"standard", "standard:centre=always", "maxabs", "none"}

const scaleLearners = "perceptron averaged:window=1000 pa1:C=0.1 arow logistic"

var scaleText = strings.ReplaceAll(`
## Ways of scaling

The mean of the accuracies of 'perceptron', 'averaged:window=1000', 'pa1:C=0.1', 'arow' and 'logistic', in percent.
'standard' subtracts the mean of a feature only where at least half of the examples have it
('go doc -u learner.standardizer'). With 'centre=always', as River does, it always does, and numbers
that are sent only where they are not 0 vanish. The sets that are made have 10,000 events.

| | standard | centre=always | maxabs | none |
|---|--:|--:|--:|--:|
`, "'", "`")

// scaleSection is the table of the ways of scaling. It takes a minute, and so is made anew with ROSENBLATT_TEST_LONG.
func scaleSection(t *testing.T) string {
	if !streamtest.Long() && !updating() {
		return sectionOf(page(t, accuracyPage), "Ways of scaling")
	}
	text, sums := scaleText, make([]float64, len(scales))
	for _, set := range scaledSets {
		means := set.accuracies(t)
		text += "| " + set.title
		for i, mean := range means {
			text += fmt.Sprintf(" | %.2f", mean)
			sums[i] += mean / float64(len(scaledSets))
		}
		text += " |\n"
	}
	return text + fmt.Sprintf("| mean | %.2f | %.2f | %.2f | %.2f |\n", sums[0], sums[1], sums[2], sums[3])
}

// accuracies are the means over the learners, by way of scaling.
func (s *scaledSet) accuracies(t *testing.T) (means []float64) {
	path := ""
	if s.made == nil {
		path = (&goldenSet{}).readable(t, datasets.Path(t, s.file))
	} else {
		path = write(t, "made.jsonl", s.text(madeEvents))
	}
	for _, scale := range scales {
		args := slices.Concat([]string{path, "--scale", scale, "--learner", scaleLearners}, s.flags)
		got, mean := replayJSON(t, "", args...), 0.0
		for _, l := range got.Learners {
			mean += 100 * l.Accuracy / float64(len(got.Learners))
		}
		means = append(means, mean)
	}
	return means
}

// text is the events of a made set.
func (s *scaledSet) text(n int) string {
	var b strings.Builder
	r := rand.New(rand.NewPCG(35, 1))
	for range n {
		label, features := s.made(r)
		fmt.Fprintf(&b, "{\"label\":%d,\"features\":{%s}}\n", label, features)
	}
	return b.String()
}

// TestScaledSets: what is promised of the default scaling holds for each made set: separable words are told apart, and
// no set but that of which half is missing is worse than with centre=always.
func TestScaledSets(t *testing.T) {
	t.Parallel()
	if testing.Short() || streamtest.Real() {
		t.Skip("many learners over many sets: not with -short, and without brokers only")
	}
	for _, set := range scaledSets {
		if set.made == nil {
			continue
		}
		means := set.accuracies(t)
		switch now, before := means[0], means[1]; {
		case strings.Contains(set.title, "separable") && now < 99.9:
			t.Errorf("%s: %.2f %%, want 99.9 %%", set.title, now)
		case !strings.Contains(set.title, "half") && now < before-0.2:
			t.Errorf("%s: %.2f %%, with centre=always %.2f %%", set.title, now, before)
		}
	}
}
