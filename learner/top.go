package learner

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// NamedWeight is a weight with its name.
type NamedWeight struct {
	Name   string  `json:"name"` // "#slot" where the table has none
	Weight float64 `json:"weight"`
	Slot   uint32  `json:"slot"`
	Shared bool    `json:"shared,omitempty"` // other names have been met at this slot
}

// Contribution is what one feature adds to a score.
type Contribution struct {
	Slot    uint32
	Value   float64 // as scaled
	Weight  float64
	Product float64 // Value*Weight
}

// Top returns the n weights of largest magnitude, the largest first, equal ones by slot; weights of 0 are left out, and
// those whose slots no learned example has had.
// It passes over all slots and names.
func (m *Model) Top(n int) []NamedWeight { return m.top(n, m.currentWeight()) }

// top is Model.Top for any weights.
func (t *table) top(n int, weight func(slot uint32) float64) []NamedWeight {
	if n <= 0 {
		return nil
	}
	order := func(a, b uint32) int {
		return cmp.Or(cmp.Compare(math.Abs(weight(b)), math.Abs(weight(a))), cmp.Compare(a, b))
	}
	var slots []uint32 // once sorted, the first n are the largest of those up to then
	sorted := false
	for i := range t.prints {
		slot := uint32(i)
		if t.prints[i] == 0 || weight(slot) == 0 || sorted && order(slots[n-1], slot) < 0 {
			continue
		}
		if slots = append(slots, slot); len(slots) == 2*n {
			slices.SortFunc(slots, order)
			slots, sorted = slots[:n], true
		}
	}
	slices.SortFunc(slots, order)
	slots = slots[:min(n, len(slots))]
	names := t.Names(slots)
	weights := make([]NamedWeight, len(names))
	for i, slot := range slots {
		weights[i] = NamedWeight{names[i], weight(slot), slot, t.prints[slot]&shared != 0}
	}
	return weights
}

// Names returns the name of each slot, "#slot" where the table has none. It passes over all names.
func (t *table) Names(slots []uint32) []string {
	names := make([]string, len(slots))
	wanted := make(map[uint32]string, len(slots))
	for _, slot := range slots {
		wanted[slot] = "#" + strconv.FormatUint(uint64(slot), 10)
	}
	for slot, name := range t.names.each {
		if _, ok := wanted[slot]; ok {
			wanted[slot] = string(name)
		}
	}
	for i, slot := range slots {
		names[i] = wanted[slot]
	}
	return names
}

// Explain lists what each feature of x adds to its score, in the order of x, scaled as Predict would scale it. The
// sum of the products in this order, and then the bias, is Predict's score to the bit; of the dual up to rounding,
// because its score sums over examples. With a kernel other than linear all products are 0. The model does not
// change.
func (m *Model) Explain(x []Feature) []Contribution { return m.explain(x, m.weightsOf(x)) }

func (t *table) explain(x []Feature, weights []float64) []Contribution {
	parts := make([]Contribution, len(x))
	for i, f := range x {
		value := t.scaler.value(f)
		parts[i] = Contribution{Slot: f.Slot, Value: value, Weight: weights[i], Product: weights[i] * value}
	}
	return parts
}
