package metrics_test

import (
	"fmt"

	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
)

// A score puts the learner beside two baselines that need no features.
func ExampleBinary() {
	var score metrics.Binary
	for _, a := range []struct {
		s     float64
		label int8
	}{{0, 1}, {0.5, 1}, {0.2, -1}, {-1, -1}, {-0.3, -1}, {0.4, 1}, {-0.5, -1}, {0.1, -1}} {
		prediction := learner.Sign(a.s)
		score.Add(prediction, a.label, a.s, prediction != a.label)
	}
	report := score.Report()
	fmt.Printf("%d mistakes in %d, accuracy %.3f, AUC %.3f\n", report.Mistakes, report.Examples,
		report.Accuracy.Value(), report.RocAUC.Value())
	for _, b := range report.Baselines {
		fmt.Printf("%s: %d mistakes\n", b.Name, b.Mistakes)
	}
	fmt.Printf("better than the majority by %.2f, than no-change by %.2f\n", report.KappaM.Value(),
		report.KappaT.Value())
	// Output:
	// 2 mistakes in 8, accuracy 0.750, AUC 0.867
	// no-change: 3 mistakes
	// majority: 5 mistakes
	// better than the majority by 0.60, than no-change by 0.33
}
