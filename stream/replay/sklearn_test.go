package replay_test

import (
	"bufio"
	"io"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

// TestScikitLearnElec2 holds the perceptron and the passive-aggressive learners against scikit-learn 1.9.1 on Elec2:
// the counts are those that cmd/internal/speed/replay/sklearn_elec2.py prints (README.md there has the table) once two
// of its conventions are ours: a score of 0 predicts +1, and the bias is a feature of 1, which counts in the squared
// norm. As it comes, scikit-learn predicts -1 for the very first row, one mistake more, and its
// PassiveAggressiveClassifier leaves the bias out of the norm: 6,711 instead of 6,702, and in standard scale
// (centre=always) 3,501 and 3,482 instead of 3,488 and 3,467. We have no such setting.
//
// The golden numbers' 2 are allowed for the order of summation: 0.06 % at most.
func TestScikitLearnElec2(t *testing.T) {
	t.Parallel()
	for scale, want := range map[string][]theirs{
		learner.ScaleNone:        {{"perceptron", 6930, -1, 2}, {"pa1:C=1", 6702, -1, 2}, {"pa2:C=1", 6702, -1, 2}},
		"standard:centre=always": {{"perceptron", 4041, -1, 2}, {"pa1:C=1", 3488, -1, 2}, {"pa2:C=1", 3467, -1, 2}},
	} {
		from := bufio.NewReader(dataFile(t, "elec2/electricity.csv"))
		if _, err := from.ReadString('\n'); err != nil && err != io.EOF { // the header
			t.Fatal(err)
		}
		o := event.Defaults(event.CSV)
		o.Columns = []string{"date", "day", "period", "nswprice", "nswdemand", "vicprice", "vicdemand", "transfer",
			"class"}
		o.LabelField, o.Positive = "class", "UP"
		compare(t, from, o, scale, want)
	}
}
