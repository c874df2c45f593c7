package stream

import (
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// chunk holds consecutive records of one partition that are read, decoded and learned together. It is small, so that
// its features are still in a processor's cache when they are learned. The predictions of several chunks go out as one
// batch, and the state is copied only at the end of a chunk: PROTOCOL.md, "Order".
type chunk struct {
	topics.Run

	examples []event.Example   // one for each record, filled by a decoder
	arena    []learner.Feature // the features of all examples
	ids      []byte            // of all examples
	small    bool              // the learner decodes it
	decoded  chan struct{}     // else receives once when examples are complete
	arrived  time.Time         // when the reader had the records
}

// features are the features of the chunk's example i.
func (c *chunk) features(i int) []learner.Feature { return c.examples[i].Features(c.arena) }

// decode decodes every record into the chunk's own arena.
func (c *chunk) decode(d *event.Decoder) {
	if cap(c.examples) < len(c.Records) {
		c.examples = make([]event.Example, max(len(c.Records), cap(c.Records)))
	}
	c.examples, c.arena, c.ids = c.examples[:len(c.Records)], c.arena[:0], c.ids[:0]
	for i := range c.Records {
		r, e := &c.Records[i], &c.examples[i]
		c.arena = d.Decode(r.Key, r.Value, c.arena, e)
		c.copyID(e)
	}
}

// copyID copies a short id next to the others: most often the learner runs on another processor and would wait for each
// id within its record.
func (c *chunk) copyID(e *event.Example) {
	if len(e.ID) == 0 || len(e.ID) > 64 {
		return
	}
	from := len(c.ids)
	c.ids = append(c.ids, e.ID...)
	e.ID = c.ids[from:len(c.ids):len(c.ids)]
}
