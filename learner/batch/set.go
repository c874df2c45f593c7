package batch

import (
	"errors"
	"fmt"
	"math"

	"rosenblatt/learner"
)

// Errors of Train about its examples. Those that wrap these name the example, counted from 0.
var (
	ErrNoExamples = errors.New("no examples to train on")
	ErrExample    = errors.New("not an example")               // a label, an index or a value out of range
	ErrOverflow   = errors.New("a number would not be finite") // a kernel's value, or a score
)

// Term is one coordinate of an example.
type Term struct {
	Index int32   // 0 to dimensions-1
	Value float64 // finite, at most learner.MaxValue in magnitude
}

// Example is a point and its label. The values of an index that occurs twice in X are added.
type Example struct {
	X     []Term
	Label int8 // -1 or +1
}

// set is the matrix A: one row a = y(x, 1) for each example, y(x, 0) without a bias.
type set struct {
	columns int     // of (x, 1)
	pad     float64 // 1, or 0
	labels  []int8
	start   []int
	index   []int32
	value   []float64
	scratch []float64 // a dense row, all 0 when not in use
	origin  []int     // the indexes of the examples among those given
}

func newSet(examples []Example, order []int, dimensions int, pad float64) (*set, error) {
	if dimensions < 0 || dimensions >= math.MaxInt32 {
		return nil, fmt.Errorf("%d dimensions: want 0 to %d", dimensions, math.MaxInt32-1)
	}
	terms := len(examples)
	for i := range examples {
		terms += len(examples[i].X)
	}
	s := &set{columns: dimensions + 1, pad: pad, start: make([]int, 1, len(examples)+1), index: make([]int32, 0, terms),
		value: make([]float64, 0, terms), scratch: make([]float64, dimensions+1), origin: order}
	for _, i := range order {
		if err := s.add(&examples[i], dimensions); err != nil {
			return nil, fmt.Errorf("example %d: %w", i, err)
		}
	}
	return s, nil
}

func (s *set) add(e *Example, dimensions int) error {
	if e.Label != 1 && e.Label != -1 {
		return fmt.Errorf("%w: label %d: want -1 or 1", ErrExample, e.Label)
	}
	y := float64(e.Label)
	for _, t := range e.X {
		if t.Index < 0 || int(t.Index) >= dimensions {
			return fmt.Errorf("%w: index %d of %d", ErrExample, t.Index, dimensions)
		}
		if !(math.Abs(t.Value) <= learner.MaxValue) {
			return fmt.Errorf("%w: value %v at index %d: want a magnitude up to %v",
				ErrExample, t.Value, t.Index, learner.MaxValue)
		}
		s.index, s.value = append(s.index, t.Index), append(s.value, y*t.Value)
	}
	s.index, s.value = append(s.index, int32(dimensions)), append(s.value, y*s.pad)
	s.labels = append(s.labels, e.Label)
	s.start = append(s.start, len(s.index))
	return nil
}

func (s *set) rows() int { return len(s.start) - 1 }

func (s *set) row(i int) (index []int32, value []float64) {
	from, to := s.start[i], s.start[i+1]
	return s.index[from:to], s.value[from:to]
}

// label is y of example i.
func (s *set) label(i int) float64 { return float64(s.labels[i]) }

func (s *set) dot(i int, z []float64) (sum float64) {
	index, value := s.row(i)
	for t, at := range index {
		sum += float64(z[at] * value[t])
	}
	return sum
}

func (s *set) addTo(z []float64, i int, c float64) {
	index, value := s.row(i)
	for t, at := range index {
		z[at] += float64(c * value[t])
	}
}

// spread writes a_i into the dense scratch row, adding terms of one index; clear takes it out again.
func (s *set) spread(i int) []float64 {
	s.addTo(s.scratch, i, 1)
	return s.scratch
}

func (s *set) clear(i int) {
	index, _ := s.row(i)
	for _, at := range index {
		s.scratch[at] = 0
	}
}

func norm(z []float64) float64 {
	sum := 0.0
	for _, v := range z {
		sum += float64(v * v)
	}
	return math.Sqrt(sum)
}
