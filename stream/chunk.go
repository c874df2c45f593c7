package stream

import (
	"math"
	"slices"
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// chunk holds consecutive records of one partition that are read, decoded and learned together: few, so that their
// features are still in a processor's cache when they are learned.
type chunk struct {
	topics.Run
	event.Batch // of the records, filled by a decoder

	topic   topics.Topic // Input or Labels
	ids     []labels.ID  // with later labels: of the records
	warm    int          // of the records: those before are in the caches of the learner's processor
	sink    int64        // keeps the compiler from removing the prefetch
	handled int          // of Records
	times   []int64      // with later labels: of the records, in the merge
	ready   bool         // the learner has awaited the examples
	readAt  labels.Stamp // with later labels: when the learner had it

	free    chan *chunk   // where it goes when it is free
	small   bool          // the learner decodes it
	decoded chan struct{} // receives once when Examples are complete, unless small
	arrived time.Time     // when the reader had the records
}

// position is that of the next record to be handled.
func (c *chunk) position() int64 {
	if c.handled < len(c.Records) {
		return c.Records[c.handled].Offset
	}
	return c.Next
}

// findTimes finds the times of the records in the merge of events and labels. A timestamp far ahead of the wall clock
// would hold its partition up. An event behind others of later times has its turn in time, so that no label of it is
// taken for that of an unknown event.
func (c *chunk) findTimes(ahead int64) {
	n, least := len(c.Records), int64(math.MaxInt64)
	c.times = slices.Grow(c.times[:0], n)[:n]
	arrived := c.arrived.UnixMilli()
	for i := n - 1; i >= 0; i-- {
		//mutation:times-ahead
		c.times[i] = labels.InTime(c.Records[i].Timestamp, arrived, ahead)
		if c.topic == topics.Input {
			//mutation:events-out-of-order
			least = min(least, c.times[i])
			c.times[i] = least
		}
	}
}

// identify finds the ids of the records, for later labels.
func (c *chunk) identify(ids *labels.Identifier) {
	c.ids, c.warm = c.ids[:0], 0
	if ids != nil {
		c.ids = ids.Append(c.ids, c.Examples, c.Records)
	}
}

// warmed is how many records' memory is read at a time before they are handled.
const warmed = 64

// prefetch reads what another processor has written about the next records, from i on, and their keys, and returns
// their ids.
func (c *chunk) prefetch(i int) []labels.ID {
	c.warm = min(i+warmed, len(c.ids))
	for j := i; j < c.warm; j++ {
		r, e := &c.Records[j], &c.Examples[j]
		c.sink += r.Offset + int64(len(r.Value)) + int64(e.Label) + int64(e.Names)
		if len(r.Key) > 0 {
			c.sink += int64(r.Key[0])
		}
	}
	return c.ids[i:c.warm]
}
