package report

import (
	"strings"
	"testing"

	"rosenblatt/learner/metrics"
)

// withPositives is a report of a learner that scores 1,000 examples, so many of them positive. Its first alarm is
// wrong.
func withPositives(positives int) *Report {
	var s metrics.Binary
	for i := range 1000 {
		label, prediction, score := int8(-1), int8(-1), -1.0
		if i < positives {
			label, prediction, score = 1, int8(2*(i%2)-1), float64(i%2)-0.5
		}
		if i == 999 {
			prediction, score = 1, 2
		}
		s.Add(prediction, label, score, false)
	}
	r := &Report{About: About{Labels: [2]string{"fine", "fraud"}}, Learners: []Learner{{Report: s.Report()}}}
	r.Learners[0].Name, r.Baselines = "perceptron", r.Learners[0].Baselines
	return r
}

// TestRareLabel: where a label is rare, the table shows figures that say something of it, and says that it does.
func TestRareLabel(t *testing.T) {
	for positives, want := range map[int]string{
		20: "label fraud is 2 % of the examples: precision, recall and average precision (AP) are shown in place of" +
			" kappas; by chance AP is 0.0200\n",
		99:  "label fraud is 9.9 % of the examples: ",
		100: "", 900: "", 0: "",
		950: "they are of label fraud, the positive one, which is not rare: --label-names fraud,fine makes fine the" +
			" positive label\n",
	} {
		text := written(t, withPositives(positives).Table)
		head, _, _ := strings.Cut(text, "\n")
		rare := want != ""
		if strings.Contains(head, "kappa") == rare || strings.Contains(head, "precision") != rare ||
			strings.Contains(head, "AP") != rare || !strings.Contains(text, want) {
			t.Errorf("%d positives: %s", positives, text)
		}
		if rare != strings.Contains(text, "in place of kappas") {
			t.Errorf("%d positives: %s", positives, text)
		}
	}
	// The highest score is wrong, then come ten that are right, then the other ten: (10/11 + 20/21)/2.
	row := strings.Split(written(t, withPositives(20).Table), "\n")[1]
	for _, figure := range []string{"0.9091", "0.5000", "0.9307"} {
		if !strings.Contains(row, "  "+figure) {
			t.Errorf("no %s in %s", figure, row)
		}
	}
}
