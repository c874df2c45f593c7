package learner

import (
	"cmp"
	"container/heap"
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

// Top returns the n weights of largest magnitude, the largest first, equal ones by slot; weights of 0 are left out. The
// cost is one pass over the slots and one over the names.
func (m *Model) Top(n int) []NamedWeight { return m.top(n, m.currentWeight()) }

// top is Model.Top for any weights.
func (t *table) top(n int, weight func(slot uint32) float64) []NamedWeight {
	if n <= 0 {
		return nil
	}
	least := &lightest{weight: weight}
	for i := range t.prints {
		slot := uint32(i)
		switch {
		case least.weight(slot) == 0:
		case len(least.slots) < n:
			heap.Push(least, slot)
		case least.compare(slot, least.slots[0]) < 0:
			least.slots[0] = slot
			heap.Fix(least, 0)
		}
	}
	slices.SortFunc(least.slots, least.compare)
	names := t.Names(least.slots)
	weights := make([]NamedWeight, len(names))
	for i, slot := range least.slots {
		weights[i] = NamedWeight{names[i], least.weight(slot), slot, t.prints[slot]&shared != 0}
	}
	return weights
}

// lightest is a heap of slots; its first is the one that top drops next.
type lightest struct {
	weight func(slot uint32) float64
	slots  []uint32
}

// compare is negative when a comes before b in the result of top.
func (h *lightest) compare(a, b uint32) int {
	return cmp.Or(cmp.Compare(math.Abs(h.weight(b)), math.Abs(h.weight(a))), cmp.Compare(a, b))
}

func (h *lightest) Len() int           { return len(h.slots) }
func (h *lightest) Less(i, j int) bool { return h.compare(h.slots[i], h.slots[j]) > 0 }
func (h *lightest) Swap(i, j int)      { h.slots[i], h.slots[j] = h.slots[j], h.slots[i] }
func (h *lightest) Push(slot any)      { h.slots = append(h.slots, slot.(uint32)) }
func (h *lightest) Pop() any {
	last := h.slots[len(h.slots)-1]
	h.slots = h.slots[:len(h.slots)-1]
	return last
}

// Names returns the name of each slot, "#slot" where the table has none. The cost is one pass over the names.
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
// sum of the products in this order, and then the bias, is Predict's score to the bit. Of the dual it is only up to
// rounding, because its score sums over examples, and with a kernel other than linear all products are 0. Explain
// only reads the model.
func (m *Model) Explain(x []Feature) []Contribution { return m.explain(x, m.weightsOf(x)) }

// explain lists the contribution of each feature of x, given their weights.
func (t *table) explain(x []Feature, weights []float64) []Contribution {
	parts := make([]Contribution, len(x))
	for i, f := range x {
		value := t.scaler.value(f)
		parts[i] = Contribution{Slot: f.Slot, Value: value, Weight: weights[i], Product: weights[i] * value}
	}
	return parts
}
