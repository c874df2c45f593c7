package batch

import "math"

// Margin is the maximal margin: the largest γ for which some z of norm 1 has a·z >= γ for every row. It is the
// distance from 0 to the convex hull of the rows: any point p of the hull gives an upper bound, ‖p‖, and the
// least a·p/‖p‖ is a lower bound.
type Margin struct {
	Lower  float64 // over 0: a separator with at least this margin exists; 0: none was found
	Upper  float64 // no weights have a larger margin
	Solved bool    // they agree: Lower >= (1 - 2·SolverTolerance)·Upper
	Tried  bool    // it was computed at all (Options.Work)
	Steps  int     // of the solver
}

// SolverTolerance is how close the bounds of a solved margin are, relative to the upper one.
const SolverTolerance = 1e-6

// Negligible is the fraction of R below which an upper bound shows that there is no separator: ‖p‖² is a sum of
// terms of magnitude R², and is known in float64 to a few times 10^-15 R².
const Negligible = 1e-7

// maximalMargin solves the maximal margin, or bounds it, by moving weight between two rows at a time: to the row with
// the least margin from the row that promises most (Mitchell, Dem'yanov and Malozemov, SIAM Journal on Control 12,
// 1974; the latter as in Fan, Chen and Lin, Journal of Machine Learning Research 6, 2005). It ends when the margin is
// solved, when no separator can exist, or when the work is used up. known is a lower bound too.
func maximalMargin(g *gram, n int, known float64, work int64) Margin {
	if work < 0 {
		return Margin{Lower: known, Upper: math.Inf(1)}
	}
	h := newHull(g, n)
	m, before := Margin{Tried: true}, g.cost
	for spent := int64(0); ; m.Steps++ {
		low := h.lowest()
		m.Upper = math.Sqrt(h.square())
		m.Lower = max(known, h.inner[low]/m.Upper)
		m.Solved = m.Upper-m.Lower <= SolverTolerance*m.Upper
		spent += int64(4 * n)
		if m.Solved || m.Upper <= Negligible*h.radius || spent+g.cost-before > work || !h.step(low) {
			break
		}
	}
	h.recompute()
	m.Upper = math.Sqrt(h.square())
	m.Lower = max(0, known, min(h.inner[h.lowest()]/m.Upper, m.Upper))
	if m.Upper <= Negligible*h.radius && known == 0 {
		m.Lower = 0
	}
	m.Upper = max(m.Upper, m.Lower)
	m.Solved = m.Lower > 0 && m.Upper-m.Lower <= 2*SolverTolerance*m.Upper
	return m
}

// hull is a point p = Σ share_i·a_i of the convex hull.
type hull struct {
	gram     *gram
	share    []float64 // at least 0, their sum is 1
	inner    []float64 // a_i·p
	diagonal []float64 // ‖a_i‖²
	radius   float64   // the largest ‖a_i‖
	a, b     []float64 // scratch
}

// newHull starts at the row nearest to 0.
func newHull(g *gram, n int) *hull {
	all := g.set.rows()
	h := &hull{gram: g, share: make([]float64, n), inner: make([]float64, n), diagonal: make([]float64, n),
		a: make([]float64, all), b: make([]float64, all)}
	nearest := 0
	for i := range n {
		h.diagonal[i] = g.diagonal(i)
		h.radius = max(h.radius, math.Sqrt(h.diagonal[i]))
		if h.diagonal[i] < h.diagonal[nearest] {
			nearest = i
		}
	}
	h.share[nearest] = 1
	copy(h.inner, g.row(nearest, h.a))
	return h
}

func (h *hull) lowest() int {
	low := 0
	for i, v := range h.inner {
		if v < h.inner[low] {
			low = i
		}
	}
	return low
}

// square is ‖p‖².
func (h *hull) square() (sum float64) {
	for i, c := range h.share {
		sum += float64(c * h.inner[i])
	}
	return max(sum, 0)
}

// step moves weight to the row low from the row that brings p nearest to 0, if there is one.
func (h *hull) step(low int) bool {
	to := h.gram.row(low, h.a)
	from, most, part := -1, 0.0, 0.0
	for i, c := range h.share {
		gap := h.inner[i] - h.inner[low]
		if c == 0 || gap <= 0 {
			continue
		}
		distance := max(h.diagonal[i]+h.diagonal[low]-2*to[i], math.SmallestNonzeroFloat64) // squared
		if gain := gap * gap / distance; gain > most {
			from, most, part = i, gain, min(c, gap/distance)
		}
	}
	if from < 0 {
		return false
	}
	h.share[from] -= part
	h.share[low] += part
	away := h.gram.row(from, h.b)
	for i := range h.inner {
		h.inner[i] += float64(part * (to[i] - away[i]))
	}
	return true
}

// recompute removes the rounding errors of the steps from the inner products.
func (h *hull) recompute() {
	clear(h.inner)
	for j, c := range h.share {
		if c == 0 {
			continue
		}
		row := h.gram.row(j, h.a)
		for i := range h.inner {
			h.inner[i] += float64(c * row[i])
		}
	}
}
