package learner

import (
	"math"
	"math/rand/v2"
	"testing"
)

// stream makes n examples of the given width over random slots, labelled by a random separator. Slots repeat within an
// example, every eighth feature is a flag. The values are whole multiples of 1/256, so that no platform changes them.
func stream(seed uint64, n, width, bits int) []example {
	r := rand.New(rand.NewPCG(seed, 1))
	slots := make([]uint32, 4*width)
	target := make([]float64, len(slots))
	for i := range slots {
		slots[i] = r.Uint32N(1 << bits)
		target[i] = float64(r.IntN(513)-256) / 256
	}
	examples := make([]example, n)
	for i := range examples {
		e := &examples[i]
		sum := 0.0
		for range width {
			k := r.IntN(len(slots))
			f := Feature{Slot: slots[k], Print: uint16(k%printMask) + 1, Value: float64(r.IntN(1025)-512)/256 +
				float64(k%7)}
			if k%8 == 0 {
				f.Kind, f.Value = Indicator, 1
			}
			sum += float64(target[k] * f.Value)
			e.x = append(e.x, f)
		}
		e.label = Sign(sum)
	}
	return examples
}

// snapshot is all of a model's state, bits for bits.
type snapshot struct {
	state   State
	bias    uint64
	columns map[string][]uint64
	kept    []byte // the dual's
}

func snap(m *Model) snapshot {
	s := snapshot{state: m.State(), bias: math.Float64bits(m.Bias()), columns: make(map[string][]uint64)}
	for _, c := range m.Columns() {
		bits := []uint64{}
		for _, v := range c.Float64 {
			bits = append(bits, math.Float64bits(v))
		}
		for _, v := range c.Uint16 {
			bits = append(bits, uint64(v))
		}
		for _, v := range c.Bytes {
			bits = append(bits, uint64(v))
		}
		s.columns[c.Name] = bits
		if c.Name == columnKept {
			s.kept = c.Bytes
		}
	}
	return s
}

// step predicts and learns one example, names and all, and returns its score's bits.
func step(t testing.TB, m *Model, e example) uint64 {
	t.Helper()
	score, err := m.Predict(e.x)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Prepare(e.label, 1); err != nil {
		t.Fatal(err)
	}
	if m.Learn() {
		for _, f := range e.x {
			m.SetName(f.Slot, f.Print, nameOf(f.Print))
		}
	}
	return math.Float64bits(score)
}

func nameOf(print uint16) []byte { return []byte{'n', byte('a' + print%26), byte('a' + print/26%26)} }

// saveAndLoad makes a new model of m's columns and state.
func saveAndLoad(t testing.TB, m *Model) *Model {
	t.Helper()
	loaded, err := New(m.Spec())
	if err != nil {
		t.Fatal(err)
	}
	saved := m.Columns()
	var texts [][]byte
	for i, c := range loaded.Columns() {
		if c.Name != saved[i].Name || len(c.Float64) != len(saved[i].Float64) || len(c.Uint16) != len(saved[i].Uint16) {
			t.Fatalf("column %d is %q, saved as %q", i, c.Name, saved[i].Name)
		}
		copy(c.Float64, saved[i].Float64)
		copy(c.Uint16, saved[i].Uint16)
		if c.Float64 == nil && c.Uint16 == nil {
			texts = append(texts, saved[i].Bytes)
		}
	}
	if err := loaded.Restore(m.State(), texts...); err != nil {
		t.Fatal(err)
	}
	return loaded
}
