package replay

import "rosenblatt/stream/event"

// lineup gives blocks decoded and in the order of the stream. It decodes itself what no decoder has in hand: what one goroutine decodes
// and learns need not travel from one processor's cache to another's, and nobody waits while there is something to decode.
type lineup struct {
	order <-chan *Block // nil behind its end
	own   *event.Decoder
	ahead []*Block // taken from order, not yet given
}

// next is the next block, nil at the end.
func (l *lineup) next() *Block {
	if len(l.ahead) == 0 && !l.take(<-l.order) {
		return nil
	}
	b := l.ahead[0]
	if b.claim() {
		b.decode(l.own)
	}
	for {
		select {
		case <-b.decoded:
		default:
			if l.help() {
				continue
			}
			<-b.decoded
		}
		l.ahead = append(l.ahead[:0], l.ahead[1:]...)
		return b
	}
}

// take lines a block up; none is the end.
func (l *lineup) take(b *Block) bool {
	if b == nil {
		return false
	}
	l.ahead = append(l.ahead, b)
	return true
}

// help decodes a block behind the first one, if there is one that nobody has in hand.
func (l *lineup) help() bool {
	for _, b := range l.ahead[1:] {
		if b.claim() {
			b.decode(l.own)
			return true
		}
	}
	select {
	case b := <-l.order:
		return l.take(b)
	default:
		return false
	}
}
