package stream

import (
	"fmt"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
)

// classChunk is benchChunk with labels of three classes.
func classChunk(tb testing.TB, n int, scheme string) (*chunk, model.Config) {
	tb.Helper()
	c, fixed := benchChunk(tb, n, 14)
	fixed.Decode.Task, fixed.Multiclass, fixed.Scores = event.Multiclass, scheme, true
	for i := range c.Examples {
		c.Examples[i].Label, c.Examples[i].Class = 0, fmt.Appendf(nil, "class %d", i%3)
	}
	return c, fixed
}

// BenchmarkHandleClasses is BenchmarkHandle for three classes, with scores in the predictions.
func BenchmarkHandleClasses(b *testing.B) {
	for _, scheme := range []string{learner.Direct, learner.OVA, learner.OVO} {
		b.Run(scheme, func(b *testing.B) {
			c, fixed := classChunk(b, 1000, scheme)
			s, f := benchSession(b, fixed)
			var to *share
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%1000 == 0 {
					f.reset()
					to = f.begin(c, 0)
				}
				if s.handle(f, to, c, i%1000) != placed {
					b.Fatal("does not fit")
				}
			}
		})
	}
}

// TestHandlingClassesDoesNotAllocate: once classes, names and buffers are there.
func TestHandlingClassesDoesNotAllocate(t *testing.T) {
	for _, scheme := range []string{learner.Direct, learner.OVA, learner.OVO} {
		c, fixed := classChunk(t, 300, scheme)
		s, f := benchSession(t, fixed)
		work := func() {
			f.reset()
			to := f.begin(c, 0)
			for i := range c.Records {
				if s.handle(f, to, c, i) != placed {
					t.Fatal("does not fit")
				}
			}
		}
		work()
		work()
		if n := testing.AllocsPerRun(5, work); n > 8 {
			t.Errorf("%s: %v allocations for 300 events", scheme, n)
		}
	}
}
