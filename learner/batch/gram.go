package batch

import (
	"fmt"
	"math"

	"rosenblatt/learner"
)

// maxKernel is the largest magnitude of a kernel's value: squares of sums of such values are finite.
const maxKernel = 1e100

// gram gives the rows of the Gram matrix of a set, padded and pre-multiplied: G_ij = y_i·y_j·(K(x_i, x_j) + 1), for
// the linear kernel a_i·a_j, without a bias y_i·y_j·K(x_i, x_j). A row is computed on first use and kept while the
// memory limit allows.
type gram struct {
	set     *set
	kernel  learner.Kernel
	squares []float64   // ‖x_i‖²
	kept    [][]float64 // nil: not yet, or no more room
	room    int         // how many more rows may be kept
	cost    int64       // products spent on rows
}

func newGram(s *set, k learner.Kernel, limit int64) (*gram, error) {
	n := s.rows()
	room := int64(n)
	if n > 0 {
		room = min(room, limit/(8*int64(n)))
	}
	g := &gram{set: s, kernel: k, squares: make([]float64, n), kept: make([][]float64, n), room: int(room)}
	for i := range n {
		g.squares[i] = s.product(s.spread(i), i)
		s.clear(i)
		if v := k.Of(g.squares[i], g.squares[i], g.squares[i]); !(math.Abs(v) <= maxKernel) {
			return nil, fmt.Errorf("%w: the kernel %s of example %d and itself is %v: want at most %v",
				ErrOverflow, k, s.origin[i], v, maxKernel)
		}
	}
	return g, nil
}

// product is ±x_i·x for a spread x, without the padding: a small product would lose digits in the 1.
func (s *set) product(spread []float64, i int) (sum float64) {
	index, value := s.row(i)
	index = index[:len(index)-1]
	for t, at := range index {
		sum += float64(spread[at] * value[t])
	}
	return sum
}

// diagonal is G_ii.
func (g *gram) diagonal(i int) float64 {
	return g.kernel.Of(g.squares[i], g.squares[i], g.squares[i]) + g.set.pad
}

// row returns row i, in scratch, as long as the examples, if it is not kept. No value is over maxKernel: K(x, x') is
// at most the larger of K(x, x) and K(x', x') (Cauchy-Schwarz), which newGram has checked.
func (g *gram) row(i int, scratch []float64) []float64 {
	if g.kept[i] != nil {
		return g.kept[i]
	}
	row := scratch
	if g.room > 0 {
		g.room--
		row = make([]float64, g.set.rows())
		g.kept[i] = row
	}
	x := g.set.spread(i)
	yi := g.set.label(i)
	for j := range row {
		y := yi * g.set.label(j)
		k := g.kernel.Of(y*g.set.product(x, j), g.squares[i], g.squares[j])
		row[j] = y * (k + g.set.pad)
	}
	g.set.clear(i)
	g.cost += int64(len(g.set.index))
	return row
}

func (g *gram) keeps() (n int) {
	for _, row := range g.kept {
		if row != nil {
			n++
		}
	}
	return n
}
