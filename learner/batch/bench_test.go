package batch

import (
	"math/rand/v2"
	"testing"

	"rosenblatt/learner"
)

// BenchmarkPass is one pass over 1,000 examples of 30 features: a check of each, corrections, and the tally at the end.
func BenchmarkPass(b *testing.B) {
	examples, _ := cloud(rand.New(rand.NewPCG(1, 1)), 1000, 30, 0)
	for i := range examples {
		if i%10 == 0 {
			examples[i].Label *= -1
		}
	}
	for _, o := range []Options{{Algorithm: Primal}, {Algorithm: PLA, Order: Random}, {Algorithm: Dual},
		{Algorithm: Dual, Kernel: rbf(0)}} {
		b.Run(o.Algorithm+" "+o.WithDefaults().Order+" "+o.Kernel.String(), func(b *testing.B) {
			r, err := newRun(examples, 30, o.WithDefaults())
			if err != nil {
				b.Fatal(err)
			}
			r.pass()
			b.ReportAllocs()
			for b.Loop() {
				r.pass()
				r.stopped = ""
				r.endPass(r.tally(), r.change())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/example")
		})
	}
}

// BenchmarkWidest is the solver on a separable set.
func BenchmarkWidest(b *testing.B) {
	examples, _ := cloud(rand.New(rand.NewPCG(1, 1)), 1000, 10, 0.05)
	order, _ := trainedFirst(HoldOut(len(examples), 0, 0))
	s, err := newSet(examples, order, 10, 1)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		g, err := newGram(s, learner.Kernel{Name: learner.KernelLinear}, DefaultGramBytes)
		if err != nil {
			b.Fatal(err)
		}
		if m := maximalMargin(g, s.rows(), 0, DefaultWork); !m.Solved {
			b.Fatalf("%+v", m)
		}
	}
}
