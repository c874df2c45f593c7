package replay

import (
	"fmt"
	"slices"
	"testing"

	"rosenblatt/stream/topics"
)

// TestBaselinesUnderADelay: where labels come in long runs, no-change errs until it knows of a change. Under a delay it
// knows what the learner knows, and kappa-T is against that.
func TestBaselinesUnderADelay(t *testing.T) {
	t.Parallel()
	const n = 4000
	for name, label := range map[string][2]string{"perceptron": {"1", "-1"}, "perceptron direct": {`"a"`, `"b"`}} {
		records := make([]topics.Record, n)
		for i := range records {
			records[i] = topics.Record{Offset: int64(i), Timestamp: int64(10 * i),
				Value: fmt.Appendf(nil, `{"label":%s,"features":{"x":%d}}`, label[i/1000%2], i%7)}
		}
		for _, delay := range []int64{0, 1, 10, 500} {
			var got []prediction
			c := Config{Delay: Delay{Examples: delay}, Learners: []Learner{seen(t, name, &got)}}
			if name != "perceptron" {
				c.Decode = classOptions()
			}
			r := mustRun(t, &values{records: slices.Clone(records)}, c).Learners[0].Report
			// After each of three changes of the label it takes a delay of N N+1 mistakes to know. What was predicted
			// before the first label came is in no figure, but without a delay, where no class is known then.
			want, examples := 3*(delay+1), int64(n)
			switch {
			case delay > 0:
				examples -= delay + 1
			case name != "perceptron":
				want++
			}
			if r.Baselines[0].Mistakes != want {
				t.Errorf("%s, delay %d: no-change has %d mistakes, want %d", name, delay, r.Baselines[0].Mistakes, want)
			}
			if r.Examples != examples {
				t.Errorf("%s, delay %d: %d examples, want %d", name, delay, r.Examples, examples)
			}
			kappaT := 1 - (1-r.Accuracy.Value())/(float64(want)/float64(examples))
			if r.KappaT.Value() < kappaT-1e-9 || r.KappaT.Value() > kappaT+1e-9 {
				t.Errorf("%s, delay %d: kappa-T %v, want %v", name, delay, r.KappaT.Value(), kappaT)
			}
		}
	}
}
