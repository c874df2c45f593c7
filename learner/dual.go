package learner

import (
	"math"
	"slices"
)

// dual is the perceptron in dual form (Aizerman, Braverman and Rozonoer, Automation and Remote Control 25, 1964;
// Freund and Schapire, Machine Learning 37, 1999). It keeps the examples that it learned from, each with the count
// k_i of how often that was; with α_i = rate·k_i
//
//	s = Σ α_i·y_i·K(x_i, x) + b,  b = Σ α_i·y_i
//
// summed in the order in which they were first kept. An example that is not among those kept, bit by bit as scaled,
// is added; of others the count rises by the weight. With the linear kernel the weights are θ = Σ α_i·y_i·x_i,
// which Top and Explain compute on demand; with another kernel no slot has a weight.
//
// Over budget, the example with the least count, of those the oldest, is dropped with its part of b. In a stream
// nearly all counts are 1, so the oldest goes, as in the Forgetron (Dekel, Shalev-Shwartz and Singer, SIAM Journal on
// Computing 37, 2008), but without shrinking.
type dual struct {
	additive
	rule
	kernel Kernel
	rate   float64
	budget int
	kept   []support
	dense  []float64 // one for each slot, all 0 between calls: the x of a score
	spare  []term    // memory of a dropped example

	// The pending example.
	square float64 // ‖x‖²
	hash   uint64
	again  int // index in kept, or -1
	label  float64
	weight float64
}

func newDual(s Spec, slots int) method {
	return &dual{rule: newRule(s), kernel: s.kernel(), rate: s.Rate, budget: s.Budget, dense: make([]float64, slots)}
}

func (d *dual) predict(v *vector, x []Feature) (score, norm float64) {
	for i := range x {
		d.dense[x[i].Slot] += x[i].Value
	}
	d.square = 0
	for i := range x {
		value := x[i].Value
		norm += float64(value * value)
		d.square += float64(value * d.dense[x[i].Slot]) // values of one slot are one coordinate
	}
	for i := range d.kept {
		s := &d.kept[i]
		score += float64(d.alpha(s) * d.kernel.Of(d.inner(s), s.square, d.square))
	}
	for i := range x {
		d.dense[x[i].Slot] = 0
	}
	return score + v.bias, norm
}

func (d *dual) alpha(s *support) float64 { return float64(s.label * float64(d.rate*s.count)) }

// inner is x_i·x for the x in dense.
func (d *dual) inner(s *support) (product float64) {
	for _, t := range s.terms {
		product += float64(t.value * d.dense[t.slot])
	}
	return product
}

// prepare refuses an example whose part in its own score would overflow, or that load would refuse. Its part in other
// scores is then finite too: K(x_i, x)² <= K(x_i, x_i)·K(x, x) (Cauchy-Schwarz). The bias moves by at most 1e60
// each time, so it stays finite.
func (d *dual) prepare(v *vector, e *view) (updated bool, err error) {
	if !d.due(e.score, e.label) {
		return false, nil
	}
	d.label, d.weight = e.label, e.weight
	d.hash = hashOf(e.x, e.label)
	d.again = slices.IndexFunc(d.kept, func(s support) bool { return s.same(e.x, e.label, d.hash) })
	count := d.weight
	if d.again >= 0 {
		count += d.kept[d.again].count
	}
	alpha := float64(d.rate * count)
	if !small(d.square) || !small(alpha*d.kernel.Of(d.square, d.square, d.square)) {
		return false, ErrOverflow
	}
	return true, nil
}

func (d *dual) learn(v *vector, x []Feature, updated bool) {
	if !updated {
		return
	}
	v.bias += float64(d.label * float64(d.rate*d.weight))
	if d.again >= 0 {
		d.kept[d.again].count += d.weight
		return
	}
	for len(d.kept) >= d.budget {
		d.drop(v)
	}
	terms := d.spare[:0]
	d.spare = nil
	for _, f := range x {
		terms = append(terms, term{f.Slot, f.Value})
	}
	d.kept = append(d.kept, support{terms: terms, square: d.square, hash: d.hash, label: d.label, count: d.weight})
}

// drop removes the example with the least count, of those the oldest.
func (d *dual) drop(v *vector) {
	least := 0
	for i := range d.kept {
		if d.kept[i].count < d.kept[least].count {
			least = i
		}
	}
	v.bias -= d.alpha(&d.kept[least])
	d.spare = d.kept[least].terms
	d.kept = slices.Delete(d.kept, least, least+1)
}

// hashOf is FNV-1a over whole words. It only finds candidates.
func hashOf(x []Feature, label float64) uint64 {
	const prime = 1<<40 + 0x1b3
	h := math.Float64bits(label)
	for i := range x {
		h = (h ^ uint64(x[i].Slot)) * prime
		h = (h ^ math.Float64bits(x[i].Value)) * prime
	}
	return h
}
