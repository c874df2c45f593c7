package learner

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// events makes examples as one producer's events are: always the same 30 features in the same order, every sixth a
// flag.
func events(n, bits int) []example {
	r := rand.New(rand.NewPCG(1, 2))
	var slots [30]uint32
	for k := range slots {
		slots[k] = r.Uint32N(1 << bits)
	}
	examples := make([]example, n)
	for i := range examples {
		e := &examples[i]
		for k, slot := range slots {
			f := Feature{Slot: slot, Print: uint16(k) + 1, Value: r.NormFloat64()*float64(k+1) + 5}
			if k%6 == 0 {
				f.Kind, f.Value = Indicator, 1
			}
			e.x = append(e.x, f)
		}
		e.label = Sign(e.x[1].Value + e.x[2].Value/2 - e.x[3].Value + r.NormFloat64())
	}
	return examples
}

func BenchmarkStep(b *testing.B) {
	for _, scale := range []string{ScaleNone, ScaleStandard, ScaleMaxAbs} {
		b.Run(scale, func(b *testing.B) { steps(b, "perceptron", scale) })
	}
}

// BenchmarkLearners shows what each learner costs beside the perceptron of BenchmarkStep/standard.
func BenchmarkLearners(b *testing.B) {
	for _, learner := range []string{"perceptron:l1=0.001", "averaged", "averaged:window=1000", "averaged:decay=0.999",
		"pa", "pa1", "pa2",
		"arow", "logistic", "logistic:l1=0.001,l2=0.001", "dual:budget=100", "dual:kernel=poly,budget=100",
		"dual:kernel=rbf,budget=100"} {
		b.Run(learner, func(b *testing.B) { steps(b, learner, ScaleStandard) })
	}
}

// BenchmarkTableSize shows that a step does not pay for the slots it does not touch; what is left is the cache.
func BenchmarkTableSize(b *testing.B) {
	for _, bits := range []int{10, 16, 22} {
		b.Run(strconv.Itoa(bits), func(b *testing.B) {
			examples := events(1024, bits)
			m := newModel(b, "averaged:window=1000", ScaleNone, bits)
			for i := 0; b.Loop(); i++ {
				learnOne(b, m, &examples[i%len(examples)])
			}
		})
	}
}

func steps(b *testing.B, learner, scale string) {
	examples := events(1024, 18)
	m := newModel(b, learner, scale, 18)
	for i := range examples {
		learnOne(b, m, &examples[i])
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		learnOne(b, m, &examples[i%len(examples)])
	}
}

func learnOne(b *testing.B, m *Model, e *example) {
	if _, err := m.Predict(e.x); err != nil {
		b.Fatal(err)
	}
	if _, err := m.Prepare(e.label, 1); err != nil {
		b.Fatal(err)
	}
	if m.Learn() {
		for _, f := range e.x {
			m.SetName(f.Slot, f.Print, []byte("a name"))
		}
	}
}

// BenchmarkCopyTo shows what a checkpoint costs the learner, beside copying as many plain bytes.
func BenchmarkCopyTo(b *testing.B) {
	const bits, names = 22, 100_000
	for _, scale := range []string{ScaleNone, ScaleStandard} {
		m := newModel(b, "perceptron", scale, bits)
		for i := range uint32(names) {
			if err := m.SetWeight(i, 1, []byte("a name of the usual length"), 1); err != nil {
				b.Fatal(err)
			}
		}
		size := 8*len(m.weights) + 2*len(m.prints) + 8*len(m.scaler.stats) + 8*len(m.names.known)
		for i := range m.weights {
			m.weights[i] = float64(i)
		}
		for i := range m.scaler.stats {
			m.scaler.stats[i] = float64(i)
		}
		b.Run(scale+"/model", func(b *testing.B) {
			var dst Model
			m.CopyTo(&dst)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				m.CopyTo(&dst)
			}
		})
		b.Run(scale+"/bytes", func(b *testing.B) {
			dst, src := make([]byte, size), make([]byte, size)
			for i := range src {
				src[i] = byte(i)
			}
			copy(dst, src)
			b.SetBytes(int64(size))
			for b.Loop() {
				copy(dst, src)
			}
		})
	}
}
