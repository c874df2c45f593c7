package metrics

import (
	"reflect"
	"slices"
	"testing"
)

// lateBy scores n examples, each one's label coming after delay more predictions.
func lateBy(n, delay int, predict, learn func(i int)) {
	for i := range n + delay {
		if i >= delay {
			learn(i - delay)
		}
		if i < n {
			predict(i)
		}
	}
}

// TestLateBaselines: the baselines predict with the labels that had come by then, not with those that came since.
func TestLateBaselines(t *testing.T) {
	for _, delay := range []int{1, 2, 7, 300} {
		all := randomScored(uint64(delay), 2500)
		s, given := new(Binary), make([][2]int8, len(all))
		lateBy(len(all), delay, func(i int) { given[i] = s.Baselines() }, func(i int) {
			s.AddLate(all[i].prediction, all[i].label, given[i], all[i].score, all[i].updated)
		})
		noChange, majority := baselines(all)
		early := slices.Repeat([]int8{1}, delay-1) // what is known at i is what a prompt baseline knows at i-delay+1
		noChange = append(early, noChange...)[:len(all)]
		majority = append(slices.Clone(early), majority...)[:len(all)]
		report, learner := s.Report(), make([]int8, len(all))
		for i := range all {
			learner[i] = all[i].prediction
		}
		for i, row := range []Row{report.Row, report.Baselines[0], report.Baselines[1]} {
			compareRow(t, row, all, [][]int8{learner, noChange, majority}[i], noChange, majority)
		}
	}
}

// TestLateBaselinesOfClasses is TestLateBaselines for several classes.
func TestLateBaselinesOfClasses(t *testing.T) {
	const n, delay = 2500, 40
	list := addSamples(new(Multiclass), n)
	late := slices.Clone(list)
	for i := range late {
		known := list[max(0, i-delay+1)].predicted
		for p, of := range known {
			if p != learned {
				late[i].predicted[p] = of
			}
		}
	}
	s, given := new(Multiclass), make([][2]int, n)
	lateBy(n, delay, func(i int) { given[i] = s.Baselines() },
		func(i int) { s.AddLate(list[i].predicted[learned], list[i].label[0], given[i], i%3) })
	r := s.Report()
	for p, row := range []Row{r.Row, r.Baselines[0], r.Baselines[1]} {
		if got, want := row.Figures, oracle(late, p, 1); !closeFigures(got, want) {
			t.Errorf("predictor %d: %+v, want %+v", p, got, want)
		}
	}
	prompt := new(Multiclass)
	addSamples(prompt, n)
	if reflect.DeepEqual(prompt.Report().Baselines, r.Baselines) {
		t.Error("the delay makes no difference to the baselines")
	}
}
