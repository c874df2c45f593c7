package replay

import (
	"testing"

	"rosenblatt/learner"
	"rosenblatt/learner/decision"
	"rosenblatt/stream/model"
)

// TestDelayedDecisions: with late labels, a replay decides as calibration and cut do that get what was published when a
// label comes, and what waits then.
func TestDelayedDecisions(t *testing.T) {
	t.Parallel()
	const delay = 100
	for _, text := range []string{"precision=0.7", "recall=0.8", "alerts=0.1"} {
		spec := learner.Spec{Learner: learner.Averaged, Bits: options().Bits}
		config := model.Config{Decode: options(), Learner: spec}
		if err := config.SetDecisions("", text); err != nil {
			t.Fatal(err)
		}
		proc, err := model.NewProcessor(config)
		if err != nil {
			t.Fatal(err)
		}
		var got []model.Outcome
		mustRun(t, &values{records: stretch(8, 3000)}, Config{Delay: Delay{Examples: delay}, Learners: []Learner{
			{Name: text, Processor: proc, Watch: func(_ *Block, _ int, o model.Outcome) { got = append(got, o) }}}})
		rule, _ := decision.ParseRule(text)
		platt, cut, waits, thresholds := decision.NewPlatt(), decision.NewCut(rule), decision.Waiting{}, 0
		for i := range got {
			o := &got[i]
			if i > delay {
				was := &got[i-delay-1]
				if !was.Untrained {
					waits.Add(was.Prediction == model.Positive, was.Millionths, -1)
				}
				if was.Labelled && !was.Untrained {
					odds := platt.Odds().Of(was.Score)
					platt.Learn(was.Score, was.Label == model.Positive)
					cut.Learn(odds, was.Label == model.Positive, was.Prediction == model.Positive, waits)
				}
			}
			positive, threshold, has := cut.Decide(o.Score, platt.Odds())
			if has != o.HasThreshold || threshold != o.Threshold || positive != (o.Prediction == model.Positive) {
				t.Fatalf("%s, event %d: %v %v %v, want %v %v %v", text, i, o.Prediction, o.Threshold, o.HasThreshold,
					positive, threshold, has)
			}
			if has {
				thresholds++
			}
			if !o.Untrained {
				cut.Publish(positive)
				waits.Add(positive, o.Millionths, 1)
			}
		}
		if thresholds < 2000 {
			t.Errorf("%s: %d thresholds", text, thresholds)
		}
	}
}
