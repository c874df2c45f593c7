package producer

import (
	"container/heap"
	"time"
)

// Schedule holds what is due later, the earliest first. The zero value holds nothing.
type Schedule[T any] struct{ due dueHeap[T] }

// Add adds what is due at a time.
func (s *Schedule[T]) Add(at time.Time, x T) { heap.Push(&s.due, dueItem[T]{at, x}) }

// Len is how many are held.
func (s *Schedule[T]) Len() int { return len(s.due) }

// Next returns when the earliest is due; false if nothing is held.
func (s *Schedule[T]) Next() (at time.Time, ok bool) {
	if len(s.due) == 0 {
		return at, false
	}
	return s.due[0].at, true
}

// Take takes the earliest.
func (s *Schedule[T]) Take() T { return heap.Pop(&s.due).(dueItem[T]).x }

type dueItem[T any] struct {
	at time.Time
	x  T
}

type dueHeap[T any] []dueItem[T]

func (h dueHeap[T]) Len() int           { return len(h) }
func (h dueHeap[T]) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h dueHeap[T]) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *dueHeap[T]) Push(x any)        { *h = append(*h, x.(dueItem[T])) }
func (h *dueHeap[T]) Pop() any {
	last := (*h)[len(*h)-1]
	(*h)[len(*h)-1] = dueItem[T]{}
	*h = (*h)[:len(*h)-1]
	return last
}
