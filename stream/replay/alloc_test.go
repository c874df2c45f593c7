package replay

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"

	"rosenblatt/stream/topics"
)

// endless gives the same few records again and again, n of them.
type endless struct {
	records []topics.Record
	at, n   int
}

func (e *endless) Fill(_ context.Context, b *Block) error {
	for !b.Full() {
		if e.at == e.n {
			return io.EOF
		}
		r := e.records[e.at%len(e.records)]
		r.Value = b.Copy(r.Value)
		b.Records = append(b.Records, r)
		e.at++
	}
	return nil
}

func (e *endless) Done() (done, total int64)    { return int64(e.at), int64(e.n) }
func (e *endless) Where(b *Block, i int) string { return "" }

// good leaves out what is rejected: naming that allocates.
func good(records []topics.Record) (out []topics.Record) {
	for i, r := range records {
		if i%50 != 13 {
			out = append(out, r)
		}
	}
	return out
}

// A long stream allocates no more than a short one, whatever the delay: nothing is allocated for an example.
func TestNoAllocationPerExample(t *testing.T) {
	for _, delay := range []Delay{{}, {Examples: 1000}} {
		allocated := func(n int) uint64 {
			source := &endless{records: good(stretch(1, 500)), n: n}
			c := Config{Decode: options(), Delay: delay,
				Learners: []Learner{{Name: "a", Processor: processor(t, "perceptron")},
					{Name: "b", Processor: processor(t, "pa")}}}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := Run(t.Context(), source, c); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			return after.Mallocs - before.Mallocs
		}
		short, long := allocated(5_000), allocated(40_000)
		if long > short+500 { // the runtime's own, and blocks that were not free at the moment
			t.Errorf("delay %v: %d allocations for 5,000 examples, %d for 40,000", delay, short, long)
		}
	}
}

// BenchmarkRun measures decoding and learning of json without any reading; an iteration is an example.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("learners=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			var learners []Learner
			for i := range n {
				learners = append(learners, Learner{Name: fmt.Sprint(i), Processor: processor(b, "perceptron")})
			}
			if _, err := Run(b.Context(), &endless{records: good(stretch(1, 500)), n: b.N},
				Config{Decode: options(), Learners: learners}); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "examples/s")
		})
	}
}
