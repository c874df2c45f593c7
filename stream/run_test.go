package stream_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"rosenblatt/stream/streamtest"
)

// events makes labelled examples of a noisy hyperplane, every 50th of them malformed and every 20th without a label.
func events(seed uint64, n int) []string {
	r := rand.New(rand.NewPCG(seed, 1))
	w := []float64{1, -2, 0.5, 3}
	out := make([]string, n)
	for i := range out {
		x := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		s := r.NormFloat64()
		for j := range x {
			s += x[j] * w[j]
		}
		label := "1"
		if s < 0 {
			label = "-1"
		}
		if i%20 == 7 {
			label = "null"
		}
		out[i] = fmt.Sprintf(`{"id":"e%d","label":%s,"features":{"a":%g,"b":%g,"c":%g,"d":%g,"market":"m%d"}}`, i,
			label, x[0], x[1], x[2], x[3], i%7)
		if i%50 == 13 {
			out[i] = out[i][:20]
		}
	}
	return out
}

func TestRunAnswersEveryRecordOnce(t *testing.T) {
	t.Parallel()
	for _, partitions := range []int{1, 4} {
		t.Run(fmt.Sprint(partitions), func(t *testing.T) {
			s := streamtest.New(t, streamtest.Start(t), partitions)
			for p := range partitions {
				s.Cluster.Produce(t, s.Name, p, events(uint64(p), 3000)...)
			}
			task := s.MustRun(t)
			o := s.Audit(t)
			if got, want := len(o.Predictions), partitions*3000*98/100; got != want {
				t.Errorf("%d predictions, want %d", got, want)
			}
			if got, want := len(o.DeadLetters), partitions*3000/50; got != want {
				t.Errorf("%d dead letters, want %d", got, want)
			}
			st := task.Status()
			if st.Counts.Read != int64(partitions*3000) || st.Counts.Predictions != int64(len(o.Predictions)) ||
				st.Counts.Rejected["syntax"] != int64(len(o.DeadLetters)) {
				t.Errorf("counts %+v", st.Counts)
			}
		})
	}
}
