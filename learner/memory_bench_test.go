package learner

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkLargeTable learns examples whose 30 features lie at random in tables of 2^24 slots, far more than any
// cache holds, beside the least that this can cost: to add to one number in each table at each of the same places,
// and nothing else.
func BenchmarkLargeTable(b *testing.B) {
	const bits, n, features = 24, 1 << 16, 30
	r := rand.New(rand.NewPCG(3, 4))
	examples := make([]example, n)
	for i := range examples {
		for range features {
			examples[i].x = append(examples[i].x,
				Feature{Slot: r.Uint32N(1 << bits), Print: 1 + uint16(r.Uint32N(100)), Value: r.NormFloat64()})
		}
		examples[i].label = Sign(r.NormFloat64())
	}
	for _, scale := range []string{ScaleNone, ScaleStandard} {
		m := newModel(b, "perceptron", scale, bits)
		// Memory that was never written to, and slots that still lack names, are another matter.
		for i := range examples {
			learnOne(b, m, &examples[i])
			touch(m, examples[i].x)
		}
		b.Run("learn/"+scale, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				learnOne(b, m, &examples[i%n])
			}
		})
		b.Run("access/"+scale, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				touch(m, examples[i%n].x)
			}
		})
	}
}

// touch writes to every table at the slots of x.
func touch(m *Model, x []Feature) {
	for i := range x {
		slot := x[i].Slot
		m.weights[slot]++
		m.prints[slot]++
		if m.scaler.mode == standard {
			m.scaler.stats[m.scaler.width*int(slot)]++
		}
	}
}
