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
// Over budget, the example that was learned least often, of those the oldest, is dropped with its part of b. Weights do
// not protect an example: else those of a heavy label would fill the budget, and light ones would be dropped as soon as
// they came. In a stream nearly all were learned once, so the oldest goes. The Forgetron drops the oldest too (Dekel,
// Shalev-Shwartz and Singer, SIAM Journal on Computing 37, 2008), but shrinks all α_i first; its bound of mistakes
// rests on that and does not hold here.
//
// With update=pa1 it is passive-aggressive (see passive) with n = K(x, x) + 1: a count rises by min(C·w, l/n) for the
// weight w, whenever there is a loss (Crammer et al. 2006, section 5, bounded as above; Wang and Vucetic, AISTATS 2010,
// compare budgets of it).
//
// With predict=mean the means of the α_i predict and the α_i themselves learn, as in averaged (Freund and Schapire
// 1999). An example that is dropped leaves the mean too: over budget it is in proportion to the age of those kept.
type dual struct {
	additive
	rule
	kernel Kernel
	rate   float64
	c      float64 // of update=pa1; else 0
	mean   bool    // the means predict
	budget int
	kept   []support
	dense  []float64 // one for each slot, all 0 between calls: the x of a score
	spare  []term    // memory of a dropped example
	raw    float64   // score of the last x by the counts themselves

	// The pending example.
	square float64 // ‖x‖²
	hash   uint64
	again  int // index in kept, or -1
	label  float64
	weight float64
	times  uint64 // how often it counts as learned
}

func newDual(s Spec, slots int) method {
	return &dual{rule: newRule(s), kernel: s.kernel(), rate: s.Rate, c: s.C, mean: s.Predict == PredictMean,
		budget: s.Budget, dense: make([]float64, slots)}
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
	raw := 0.0
	for i := range d.kept {
		s := &d.kept[i]
		k := d.kernel.Of(d.inner(s), s.square, d.square)
		raw += float64(d.alpha(s) * k)
		if d.mean {
			score += float64(d.predicting(v, s) * k)
		}
	}
	for i := range x {
		d.dense[x[i].Slot] = 0
	}
	if d.raw = raw + v.bias; !d.mean {
		return d.raw, norm
	}
	return score + d.effective(v, 0), norm
}

func (d *dual) alpha(s *support) float64 { return float64(s.label * float64(d.rate*s.count)) }

// predicting is the α that predicts: with predict=mean the mean over the labelled examples so far, v.time of them. A
// count that rises by Δ at example t does so for all but the t-1 before: these times Δ are its lag.
func (d *dual) predicting(v *vector, s *support) float64 {
	if !d.mean || v.time == 0 {
		return d.alpha(s)
	}
	//mutation:dual-lag
	return float64(s.label * float64(d.rate*(s.count-s.lag/float64(v.time))))
}

// effective is the bias, since no slot has a weight.
func (d *dual) effective(v *vector, _ int) (bias float64) {
	if !d.mean {
		return v.bias
	}
	for i := range d.kept {
		bias += d.predicting(v, &d.kept[i])
	}
	return float64(bias * v.one)
}

func (d *dual) begin() { d.kept = nil }

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
	if !finite(d.raw) {
		return false, ErrOverflow
	}
	step := d.step(v, e)
	if step == 0 {
		return false, nil
	}
	return d.pend(e, step)
}

// step is by how much the count of an example rises.
func (d *dual) step(v *vector, e *view) float64 {
	if d.c == 0 {
		if d.due(d.raw, e.label) {
			return e.weight
		}
		return 0
	}
	if loss := 1 - float64(e.label*d.raw); loss > 0 {
		//mutation:dual-bias
		return min(d.c*e.weight, loss/(d.kernel.Of(d.square, d.square, d.square)+v.one))
	}
	return 0
}

func (d *dual) pend(e *view, step float64) (updated bool, err error) {
	d.label, d.weight, d.times = e.label, step, 1
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
	if updated {
		d.add(v, x)
	}
	if d.mean {
		v.time++
	}
}

// add adds the pending example, or to its count.
func (d *dual) add(v *vector, x []Feature) {
	v.bias += float64(float64(d.label*float64(d.rate*d.weight)) * v.one)
	if d.again >= 0 {
		d.kept[d.again].count += d.weight
		d.kept[d.again].times += d.times
		d.kept[d.again].lag += float64(d.weight * float64(v.time))
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
	d.kept = append(d.kept, support{terms: terms, square: d.square, hash: d.hash, label: d.label, count: d.weight,
		times: d.times, lag: float64(d.weight * float64(v.time))})
}

// drop removes the example that was learned least often, of those the oldest.
func (d *dual) drop(v *vector) {
	least := 0
	for i := range d.kept {
		//mutation:dual-eviction
		if d.kept[i].times < d.kept[least].times {
			least = i
		}
	}
	v.bias -= float64(d.alpha(&d.kept[least]) * v.one)
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
