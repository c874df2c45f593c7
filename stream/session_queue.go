package stream

import (
	"slices"

	"rosenblatt/stream/topics"
)

// flightQueue holds the flights between learner and writer: the open one, which the learner adds to, and complete ones.
// An idle writer takes the open one, so flights grow with the backlog. All but the channels belongs to the learner.
type flightQueue struct {
	out   chan *flight // unbuffered: it takes a flight when the writer is idle
	spare chan *flight
	open  *flight   // or nil
	keep  bool      // more records follow at once
	full  []*flight // complete ones, the oldest first
}

// maxFull is how many complete flights may wait for the writer.
const maxFull = 1

func newFlightQueue(t *topics.Topology, records int, several bool) *flightQueue {
	q := &flightQueue{out: make(chan *flight), spare: make(chan *flight, maxFull+2)}
	pool := &sharePool{}
	for range cap(q.spare) {
		q.spare <- &flight{limits: limitsOf(t, records, several), pool: pool}
	}
	return q
}

// next returns the writer's next flight and the channel for it, nil if there is none. pop follows the send.
func (q *flightQueue) next() (chan<- *flight, *flight) {
	switch {
	case len(q.full) > 0:
		return q.out, q.full[0]
	case q.open != nil && !q.keep:
		return q.out, q.open
	}
	return nil, nil
}

func (q *flightQueue) pop() {
	if len(q.full) == 0 {
		q.open = nil
		return
	}
	q.full = slices.Delete(q.full, 0, 1)
}

func (q *flightQueue) offer() {
	out, f := q.next()
	select {
	case out <- f:
		q.pop()
	default:
	}
}

// free returns the channel of spare flights, nil while too many complete ones wait.
func (q *flightQueue) free() <-chan *flight {
	if len(q.full) > maxFull {
		return nil
	}
	return q.spare
}

func (q *flightQueue) start(f *flight) {
	f.reset()
	q.open = f
}

func (q *flightQueue) complete() {
	if q.open != nil {
		q.full, q.open = append(q.full, q.open), nil
	}
}
