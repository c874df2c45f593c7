package learner_test

import (
	"fmt"

	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
)

// Three kinds of iris by the length of a petal: classes are discovered as their labels come.
func ExampleMulti() {
	m, err := learner.NewMulti(learner.MultiSpec{Spec: learner.Spec{Learner: learner.PA1, Scale: learner.ScaleStandard,
		Bits: 4}, Scheme: learner.Direct})
	if err != nil {
		fmt.Println(err)
		return
	}
	score := new(metrics.Multiclass)
	for i := range 60 {
		label := []string{"setosa", "versicolor", "virginica"}[i%3]
		petal := []float64{1.4, 4.3, 5.6}[i%3] + float64(i%5)/10
		x := []learner.Feature{{Slot: 3, Print: 1, Value: petal}, {Slot: 7, Print: 2, Value: petal * petal}}
		class, _, err := m.Predict(x) // -1 before any class is known
		if err != nil {
			fmt.Println(err)
			return
		}
		if _, err := m.Prepare([]byte(label), 1); err != nil {
			fmt.Println(err)
			return
		}
		score.Add(class, m.Label(), m.Steps())
		m.Learn()
	}
	r := score.Report()
	fmt.Println(m.Classes(), r.Examples, "examples", r.Accuracy.Value() > 0.8,
		r.Baselines[0].Name, r.Baselines[0].Mistakes)
	// Output:
	// [setosa versicolor virginica] 60 examples true no-change 60
}
