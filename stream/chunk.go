package stream

import (
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// chunk holds consecutive records of one partition that are read, decoded and learned together: few, so that their
// features are still in a processor's cache when they are learned.
type chunk struct {
	topics.Run
	event.Batch // of the records, filled by a decoder

	topic   topics.Topic // Input or Labels
	handled int          // of Records, if not all at once
	ready   bool         // the learner has awaited the examples

	free    chan *chunk   // where it goes when it is free
	small   bool          // the learner decodes it
	decoded chan struct{} // receives once when Examples are complete, unless small
	arrived time.Time     // when the reader had the records
}
