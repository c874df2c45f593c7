package model

import (
	"fmt"
	"testing"

	"rosenblatt/learner/metrics"
)

// TestMatrixOfManyClasses: what is too much to look at is added up, nothing is lost.
func TestMatrixOfManyClasses(t *testing.T) {
	const classes = 40
	var names []string
	var confusion []metrics.ConfusionCount
	total := 0.0
	for c := range classes {
		names = append(names, fmt.Sprintf(`"c%d"`, c))
		for predicted := -1; predicted < classes; predicted++ {
			n := float64(1 + c)
			if predicted == c {
				n = 1000
			}
			confusion = append(confusion, metrics.ConfusionCount{Label: c, Prediction: predicted, Count: n,
				Fading: n / 2})
			total += n
		}
	}
	confusion = append(confusion, metrics.ConfusionCount{Label: -1, Prediction: 3, Count: 7})
	shown := frequent(confusion, classes)
	m := matrixOf(confusion, names, shown)
	if len(m.Classes) != summaryClasses || m.Classes[0] != `"c39"` || len(m.Cells) != summaryClasses+1 ||
		len(m.Pairs) != summaryPairs || m.Pairs[0].Label != `"c39"` || m.Pairs[0].Prediction != "null" {
		t.Errorf("%v %v", m.Classes, m.Pairs)
	}
	var all, fading float64
	for i := range m.Cells {
		for j := range m.Cells[i] {
			all, fading = all+m.Cells[i][j], fading+m.Fading[i][j]
		}
	}
	if all != total+7 || fading != total/2 || m.Cells[0][0] != 1000 || m.Cells[0][1] != 40 {
		t.Errorf("%v of %v, %v of %v", all, total+7, fading, total/2)
	}
}
