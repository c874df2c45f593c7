package replay

import (
	"time"

	"rosenblatt/stream/model"
)

// Delay is how much later than its example a label arrives. Until then the example is predicted, but neither scored
// nor learned. The zero value is no delay.
//
// With Examples, N, it arrives after N more predictions; with Time, before the first example whose
// timestamp is at least that much later (the clock is the highest so far). Labels still missing at the end arrive then,
// in order.
type Delay struct {
	Examples int64
	Time     time.Duration
}

type late struct {
	due     int64 // on the evaluator's clock
	block   *Block
	i       int
	at      int64 // its number in the stream
	outcome model.Outcome
}

// queue is a ring of late examples, the next one due first.
type queue struct {
	ring []late
	head int
	n    int
}

func (q *queue) slot(i int) *late { return &q.ring[(q.head+i)%len(q.ring)] }

// add inserts from the end: streams are nearly in order.
func (q *queue) add(x late) {
	if q.n == len(q.ring) {
		grown := make([]late, max(64, 2*q.n))
		for i := range q.n {
			grown[i] = *q.slot(i)
		}
		q.ring, q.head = grown, 0
	}
	i := q.n
	q.n++
	for ; i > 0 && q.slot(i-1).due > x.due; i-- {
		*q.slot(i) = *q.slot(i - 1)
	}
	*q.slot(i) = x
}

func (q *queue) next(now int64) (late, bool) {
	if q.n == 0 || q.ring[q.head].due > now {
		return late{}, false
	}
	x := q.ring[q.head]
	q.ring[q.head] = late{}
	q.head = (q.head + 1) % len(q.ring)
	q.n--
	return x, true
}
