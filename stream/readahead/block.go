package readahead

import (
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// block is a run of records. Its memory is reused.
type block struct {
	topics.Run
	examples *event.Batch  // of the input, those of the records from..to; nil while there are none
	from, to int           //
	decoded  chan struct{} // receives once when a decoder has decoded all
}

func newBlock() *block { return &block{decoded: make(chan struct{}, 1)} }

// decode decodes n records from i on, or as many as there are.
func (b *block) decode(d *event.Decoder, i, n int) {
	b.from, b.to = i, min(i+n, len(b.Records))
	b.examples.Decode(d, b.Records[b.from:b.to:b.to])
}
