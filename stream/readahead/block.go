package readahead

import (
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// block is a run of records and what they say: examples of the input, entries of the output. Its memory is reused.
type block struct {
	topics.Run
	event.Batch
	entries []journal.Entry
	topic   topics.Topic
	ready   chan struct{} // receives once when the block is prepared
}

func newBlock(topic topics.Topic) *block {
	return &block{topic: topic, Batch: event.Batch{CopyIDs: true}, ready: make(chan struct{}, 1)}
}

func (b *block) unprepared() bool { return len(b.Records) > 0 && b.topic != topics.DeadLetters }

func (b *block) prepare(d *event.Decoder, model string) {
	if b.topic == topics.Input {
		b.Decode(d, b.Records)
		return
	}
	b.entries = b.entries[:0]
	for i := range b.Records {
		b.entries = append(b.entries, journal.Parse(b.topic, b.Partition, &b.Records[i], model))
	}
}
