package replay

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"rosenblatt/stream/topics"
)

// A delay by examples is what a list of late labels gives.
func TestDelayByExamples(t *testing.T) {
	t.Parallel()
	records := stretch(8, 2000)
	for _, n := range []int64{0, 1, 2, 10, 511, 3000, 10000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var got []prediction
			r := mustRun(t, &values{records: records},
				Config{Delay: Delay{Examples: n}, Learners: []Learner{seen(t, "perceptron", &got)}})
			want, wantPredictions := naive(t, "perceptron", records,
				func(predicted, _ int64, _ *topics.Record) int64 { return predicted + n },
				func(predicted, _ int64) int64 { return predicted })
			same(t, r.Learners[0].Processor, got, want, wantPredictions)
		})
	}
}

// The first label of a delay of N is not known to N more predictions, and known to the next.
func TestDelayIsThatLong(t *testing.T) {
	t.Parallel()
	one := topics.Record{Value: []byte(`{"label":-1,"features":{"market":"a"}}`)}
	for n := range int64(4) {
		var got []prediction
		mustRun(t, &values{records: slices.Repeat([]topics.Record{one}, 6)},
			Config{Delay: Delay{Examples: n}, Learners: []Learner{seen(t, "perceptron", &got)}})
		untaught := int64(0)
		for untaught < int64(len(got)) && got[untaught].score == got[0].score {
			untaught++
		}
		if untaught != n+1 {
			t.Errorf("delay %d: %d predictions before the first label was known, want %d", n, untaught, n+1)
		}
	}
}

// A delay by time is the same by the records' timestamps, whose clock never goes back.
func TestDelayByTime(t *testing.T) {
	t.Parallel()
	records := stretch(9, 2000)
	for _, d := range []time.Duration{time.Millisecond, 3 * time.Millisecond, 100 * time.Millisecond, 5 * time.Second,
		time.Hour} {
		t.Run(d.String(), func(t *testing.T) {
			var got []prediction
			r := mustRun(t, &values{records: records},
				Config{Delay: Delay{Time: d}, Learners: []Learner{seen(t, "perceptron", &got)}})
			want, wantPredictions := naive(t, "perceptron", records,
				func(_, _ int64, r *topics.Record) int64 { return r.Timestamp + d.Milliseconds() },
				func(_, clock int64) int64 { return clock })
			same(t, r.Learners[0].Processor, got, want, wantPredictions)
		})
	}
}

// Late labels reach over passes and shuffles too.
func TestDelayOverPasses(t *testing.T) {
	t.Parallel()
	records := stretch(10, 700)
	var got []prediction
	r := mustRun(t, &values{records: records},
		Config{Passes: 3, Delay: Delay{Examples: 1000}, Learners: []Learner{seen(t, "perceptron", &got)}})
	want, wantPredictions := naive(t, "perceptron", slices.Repeat(records, 3),
		func(predicted, _ int64, _ *topics.Record) int64 { return predicted + 1000 },
		func(predicted, _ int64) int64 { return predicted })
	same(t, r.Learners[0].Processor, got, want, wantPredictions)
}
