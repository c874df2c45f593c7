package report

import (
	"encoding/json"
	"strings"
	"testing"

	"rosenblatt/learner/metrics"
)

// TestCurvesOfTwoLabels: the page draws them and the JSON has their points where both labels occurred.
func TestCurvesOfTwoLabels(t *testing.T) {
	for _, positives := range []int{0, 20} {
		r := withPositives(positives)
		var s metrics.Binary
		for i := range 1000 {
			label := int8(-1)
			if i < positives {
				label = 1
			}
			s.Add(1, label, float64(i%37), false)
		}
		r.Learners[0].SetCuts(s.Cuts(), r.costOrOne())
		page, want := written(t, r.HTML), 0
		if positives > 0 {
			want = 3 // precision, ROC and cost, beside the leading curves, wide and narrow
		}
		if got := strings.Count(page, "<svg") - strings.Count(page, "<svg viewBox=\"0 0 28"); got != 2+want {
			t.Errorf("%d positives: %d pictures, want %d", positives, got, 2+want)
		}
		for _, text := range []string{"a recall of label fraud costs", "label fine that is predicted fraud"} {
			if strings.Contains(page, text) != (positives > 0) {
				t.Errorf("%d positives: %q", positives, text)
			}
		}
		var d struct {
			Learners []struct{ Cuts []metrics.Cut }
		}
		if err := json.Unmarshal([]byte(written(t, r.JSON)), &d); err != nil {
			t.Fatal(err)
		}
		cuts := d.Learners[0].Cuts
		if (len(cuts) > 10) != (positives > 0) || len(cuts) > 0 && cuts[len(cuts)-1].Recall != 1 {
			t.Errorf("%d positives: cuts %v", positives, cuts)
		}
	}
}
