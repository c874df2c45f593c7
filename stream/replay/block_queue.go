package replay

// blockQueue returns decoded blocks in order. It decodes blocks itself that no decoder has claimed: they are then in
// its processor's cache, and it never waits while there is something to decode.
type blockQueue struct {
	order <-chan *Block // nil after the end
	own   decoders
	ahead []*Block // taken from order, not yet returned
}

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

// decodeAhead decodes an unclaimed later block or takes one more; false if there was none.
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
