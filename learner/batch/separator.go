package batch

import (
	"math"
	"slices"
)

// separator is z during a run, as weights or in dual form.
type separator interface {
	margin(i int) float64     // a_i·z
	correct(i int)            // z += η·a_i
	change() (by, of float64) // ‖z - z at the last call‖, and ‖z‖
	values() []float64        // all that changes: copying it back restores z
}

// primal is z = (w, b) itself.
type primal struct {
	set       *set
	rate      float64
	z, before []float64
}

func newPrimal(s *set, o *Options) *primal {
	z := startOf(s, o)
	return &primal{set: s, rate: o.Rate, z: z, before: slices.Clone(z)}
}

func startOf(s *set, o *Options) []float64 {
	z := make([]float64, s.columns)
	copy(z, o.StartWeights)
	z[s.columns-1] = o.StartBias
	return z
}

func (p *primal) margin(i int) float64 { return p.set.dot(i, p.z) }
func (p *primal) correct(i int)        { p.set.addTo(p.z, i, p.rate) }
func (p *primal) values() []float64    { return p.z }

func (p *primal) change() (by, of float64) {
	for i, v := range p.z {
		d := v - p.before[i]
		by += float64(d * d)
		of += float64(v * v)
	}
	copy(p.before, p.z)
	return math.Sqrt(by), math.Sqrt(of)
}

// dual holds z as the vector Az, so that margins cost nothing. Correcting example i adds η times row i of the Gram
// matrix. The state is a_0·z, a_1·z ... and, last, the bias.
type dual struct {
	gram         *gram
	rate         float64
	state        []float64
	initial      []float64 // the state at the start
	norm         float64   // ‖z‖² at the start
	before       []float64 // the state at the last call of change
	counts       []int64   // k_i of the examples trained on; the run counts
	countsBefore []int64   // k_i at the last call of change
	scratch      []float64
}

func newDual(g *gram, o *Options, counts []int64) *dual {
	s := g.set
	n := s.rows()
	d := &dual{gram: g, rate: o.Rate, initial: make([]float64, n+1), counts: counts,
		countsBefore: make([]int64, len(counts)), scratch: make([]float64, n)}
	start := startOf(s, o)
	for i := range n {
		d.initial[i] = s.dot(i, start)
	}
	d.initial[n] = o.StartBias
	d.norm = norm(start)
	d.norm *= d.norm
	d.state, d.before = slices.Clone(d.initial), slices.Clone(d.initial)
	return d
}

func (d *dual) margin(i int) float64 { return d.state[i] }
func (d *dual) values() []float64    { return d.state }

func (d *dual) correct(i int) {
	for j, v := range d.gram.row(i, d.scratch) {
		d.state[j] += float64(d.rate * v)
	}
	d.state[len(d.state)-1] += float64(d.rate * d.gram.set.label(i) * d.gram.set.pad)
}

// change uses z = z' + η·Σ k_i·a_i with the corrections since: ‖z - z'‖² = η·Σ k_i·a_i·(z - z').
func (d *dual) change() (by, of float64) {
	for i, k := range d.counts {
		since := float64(k - d.countsBefore[i])
		by += float64(d.rate * since * (d.state[i] - d.before[i]))
	}
	_, of = d.size(d.state, d.counts)
	copy(d.before, d.state)
	copy(d.countsBefore, d.counts)
	return math.Sqrt(max(by, 0)), of
}

// size computes start·z and ‖z‖ from a state and its counts. With z = start + η·Σ k_i·a_i, start·z =
// ‖start‖² + η·Σ k_i·a_i·start, and ‖z‖² = start·z + η·Σ k_i·a_i·z.
func (d *dual) size(state []float64, counts []int64) (onto, length float64) {
	onto = d.norm
	square := 0.0
	for i, k := range counts {
		onto += float64(d.rate * float64(k) * d.initial[i])
		square += float64(d.rate * float64(k) * state[i])
	}
	return onto, math.Sqrt(max(onto+square, 0))
}
