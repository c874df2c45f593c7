package replay

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

var several = []string{"perceptron direct", "perceptron ova", "perceptron ovo", "pa1:C=1 direct", "averaged ovo",
	"logistic ova"}

// Learners of several classes side by side are each what nothing but a processor in a loop gives, however late their
// labels are.
func TestClassesSideBySide(t *testing.T) {
	t.Parallel()
	records := classes(stretch(21, 1500))
	for _, n := range []int64{0, 1, 700} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			predictions := make([][]prediction, len(several))
			var learners []Learner
			for i, name := range several {
				learners = append(learners, seen(t, name, &predictions[i]))
			}
			r := mustRun(t, &values{records: records},
				Config{Decode: classOptions(), Delay: Delay{Examples: n}, Curves: true, Learners: learners})
			for i, name := range several {
				want, wantPredictions := naive(t, name, records,
					func(predicted, _ int64, _ *topics.Record) int64 { return predicted + n },
					func(predicted, _ int64) int64 { return predicted })
				same(t, r.Learners[i].Processor, predictions[i], want, wantPredictions)
				l := &r.Learners[i]
				if got := l.Processor.Classes(); len(got) != 4 || !slices.Contains(got, "odd") ||
					!slices.Contains(got, "true") {
					t.Errorf("%s: classes %q", name, got)
				}
				if len(l.Curve) == 0 || l.Curve[len(l.Curve)-1].Row != l.Report.Row || l.Report.Examples < 1250-n {
					t.Errorf("%s: %d points, report %+v", name, len(l.Curve), l.Report.Row)
				}
			}
			if b := r.Baselines(); len(b) != 2 || b[0].Name != "no-change" || b[1].Mistakes == 0 {
				t.Errorf("baselines %+v", b)
			}
		})
	}
}

// The calibration of several classes is of the class predicted: how often it was right against what it was given.
// Log-loss is of the label's class, and of examples whose class was known when they were predicted.
func TestClassesCalibration(t *testing.T) {
	t.Parallel()
	for _, delay := range []Delay{{}, {Examples: 300}} {
		var want calibration
		var proc = processor(t, "logistic ova")
		loss, known := 0.0, 0.0
		l := Learner{Name: "logistic", Processor: proc, Watch: func(b *Block, i int, o model.Outcome) {
			if !o.Labelled || !o.Probable {
				return
			}
			label := b.Examples[i].Class
			want.add(o.Probability, string(label) == proc.Classes()[o.Prediction])
			if class := proc.Multi().ClassOf(label); class >= 0 {
				sum := 0.0
				for _, s := range proc.Multi().Scores() {
					sum += 1 / (1 + math.Exp(-s))
				}
				loss -= math.Log(1 / (1 + math.Exp(-proc.Multi().Scores()[class])) / sum)
				known++
			}
		}}
		got := mustRun(t, &values{records: classes(stretch(22, 2000))},
			Config{Decode: classOptions(), Delay: delay, Learners: []Learner{l}}).Learners[0]
		if len(got.Calibration) != bins || math.Abs(got.Report.LogLoss.Value()-loss/known) > 1e-9 || known < 1500 {
			t.Fatalf("%d bins, log-loss %v, want %v of %v", len(got.Calibration), got.Report.LogLoss.Value(),
				loss/known, known)
		}
		for i, b := range want.list() {
			if g := got.Calibration[i]; g.Examples != b.Examples || g.Positives != b.Positives ||
				math.Abs(g.Probability-b.Probability) > 1e-9 {
				t.Errorf("bin %d: %+v, want %+v", i, g, b)
			}
		}
	}
}
