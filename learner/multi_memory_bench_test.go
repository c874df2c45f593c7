package learner

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// BenchmarkLargeClasses is BenchmarkLargeTable for three classes, in tables of 2^22 slots: learning beside adding to
// one number in each table, those of each class among them, at each of the same places.
func BenchmarkLargeClasses(b *testing.B) {
	const bits, n, features, classes = 22, 1 << 15, 30, 3
	r := rand.New(rand.NewPCG(3, 4))
	examples, labels := make([][]Feature, n), make([][]byte, n)
	for i := range examples {
		for range features {
			examples[i] = append(examples[i], Feature{Slot: r.Uint32N(1 << bits), Print: 1 + uint16(r.Uint32N(100)),
				Value: r.NormFloat64()})
		}
		labels[i] = strconv.AppendInt(nil, int64(r.IntN(classes)), 10)
	}
	for _, scheme := range []string{Direct, OVA} {
		for _, scale := range []string{ScaleNone, ScaleStandard} {
			m, err := NewMulti(MultiSpec{Scheme: scheme, Spec: Spec{Learner: "perceptron", Scale: scale, Bits: bits}})
			if err != nil {
				b.Fatal(err)
			}
			learn := func(b *testing.B, i int) {
				if _, _, err := m.Predict(examples[i%n]); err != nil {
					b.Fatal(err)
				}
				if _, err := m.Prepare(labels[i%n], 1); err != nil {
					b.Fatal(err)
				}
				m.Learn()
			}
			for i := range n { // memory that was never written to is another matter
				learn(b, i)
				touchClasses(m, examples[i])
			}
			b.Run("learn/"+scheme+"/"+scale, func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					learn(b, i)
				}
			})
			b.Run("access/"+scheme+"/"+scale, func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					touchClasses(m, examples[i%n])
				}
			})
		}
	}
}

// touchClasses is touch for the tables that classes share, and for those of each.
func touchClasses(m *Multi, x []Feature) {
	for i := range x {
		slot := x[i].Slot
		m.prints[slot]++
		if m.scaler.mode == standard {
			m.scaler.stats[m.scaler.width*int(slot)]++
		}
		for k := range m.separators {
			m.separators[k].weights[slot]++
		}
	}
}
