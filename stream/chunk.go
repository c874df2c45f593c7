package stream

import (
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// chunk holds consecutive records of one partition that are read, decoded and learned together. It is small, so that
// its features are still in a processor's cache when they are learned. The predictions of several chunks go out as one
// batch, and the state is copied only at the end of a chunk: PROTOCOL.md, "Order".
type chunk struct {
	topics.Run
	event.Batch // of the records, filled by a decoder

	small   bool          // the learner decodes it
	decoded chan struct{} // else receives once when Examples are complete
	arrived time.Time     // when the reader had the records
}
