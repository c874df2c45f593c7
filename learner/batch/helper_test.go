package batch

import (
	"math"
	"math/rand/v2"
	"testing"

	"rosenblatt/learner"
)

// points makes examples of dense rows: the last number of each is the label.
func points(rows ...[]float64) (examples []Example, dimensions int) {
	for _, row := range rows {
		last := len(row) - 1
		e := Example{Label: int8(row[last])}
		for i, v := range row[:last] {
			e.X = append(e.X, Term{int32(i), v})
		}
		examples = append(examples, e)
		dimensions = last
	}
	return examples, dimensions
}

func and() ([]Example, int) {
	return points([]float64{0, 0, -1}, []float64{0, 1, -1}, []float64{1, 0, -1}, []float64{1, 1, 1})
}

func or() ([]Example, int) {
	return points([]float64{0, 0, -1}, []float64{0, 1, 1}, []float64{1, 0, 1}, []float64{1, 1, 1})
}

func xor() ([]Example, int) {
	return points([]float64{0, 0, -1}, []float64{0, 1, 1}, []float64{1, 0, 1}, []float64{1, 1, -1})
}

// three are the points (3,3)+, (4,3)+ and (1,1)-.
func three() ([]Example, int) {
	return points([]float64{3, 3, 1}, []float64{4, 3, 1}, []float64{1, 1, -1})
}

func train(t testing.TB, examples []Example, dimensions int, o Options) *Result {
	t.Helper()
	r, err := Train(examples, dimensions, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// cloud makes n points of a ball-like cloud on the two sides of a random plane, no point nearer to it than gap, and
// returns the margin that the plane's own padded normal has.
func cloud(r *rand.Rand, n, dimensions int, gap float64) (examples []Example, margin float64) {
	normal := make([]float64, dimensions+1)
	for i := range normal {
		normal[i] = r.NormFloat64()
	}
	length := norm(normal)
	margin = math.Inf(1)
	for len(examples) < n {
		e := Example{Label: 1}
		s := normal[dimensions]
		for i := range dimensions {
			v := 2*r.Float64() - 1
			e.X = append(e.X, Term{int32(i), v})
			s += normal[i] * v
		}
		if s /= length; s < 0 {
			e.Label = -1
		}
		if math.Abs(s) >= gap {
			examples = append(examples, e)
			margin = min(margin, math.Abs(s))
		}
	}
	return examples, margin
}

// near says whether two numbers are the same but for rounding.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// finite reports whether x is neither infinite nor NaN.
func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

func poly(degree int, offset float64) learner.Kernel {
	return learner.Kernel{Name: learner.KernelPoly, Degree: degree, Offset: offset}
}

func rbf(gamma float64) learner.Kernel { return learner.Kernel{Name: learner.KernelRBF, Gamma: gamma} }
