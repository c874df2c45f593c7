package replay

import "rosenblatt/stream/event"

// blockQueue returns blocks decoded and in the order of the stream. It decodes blocks that no decoder has claimed: the
// learners' goroutine then has them in its processor's cache, and never waits while there is something to decode.
type blockQueue struct {
	order <-chan *Block // nil after the end
	own   *event.Decoder
	ahead []*Block // taken from order, not yet returned
}

// next is the next block, nil at the end.
func (q *blockQueue) next() *Block {
	if len(q.ahead) == 0 && !q.take(<-q.order) {
		return nil
	}
	b := q.ahead[0]
	if b.claim() {
		b.decode(q.own)
	}
	for {
		select {
		case <-b.decoded:
		default:
			if q.decodeAhead() {
				continue
			}
			<-b.decoded
		}
		q.ahead = append(q.ahead[:0], q.ahead[1:]...)
		return b
	}
}

// take appends a block; nil is the end.
func (q *blockQueue) take(b *Block) bool {
	if b == nil {
		return false
	}
	q.ahead = append(q.ahead, b)
	return true
}

// decodeAhead decodes a later block that no decoder has claimed, or takes one more. It reports whether there was one.
func (q *blockQueue) decodeAhead() bool {
	for _, b := range q.ahead[1:] {
		if b.claim() {
			b.decode(q.own)
			return true
		}
	}
	select {
	case b := <-q.order:
		return q.take(b)
	default:
		return false
	}
}
