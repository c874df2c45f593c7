package stream

import (
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// Chunk is a run of records of one partition that is read, decoded and learned in one go. It is small, so that what a decoder
// has made is still in a processor's cache when the learner comes to it. The answers to several of them go out as one batch,
// and only at its end may a copy of the state be taken: PROTOCOL.md, "Order".
type Chunk struct {
	topics.Run

	Examples []event.Example   // one for each record, filled by a decoder
	Arena    []learner.Feature // the features of all examples
	ids      []byte            // of all examples
	few      bool              // the learner decodes it itself
	decoded  chan struct{}     // else receives once when Examples are complete
	arrived  time.Time         // when the reader had the records
}

// features are the features of the chunk's example i.
func (c *Chunk) features(i int) []learner.Feature { return c.Examples[i].Features(c.Arena) }

// decode decodes every record into the chunk's own arena.
func (c *Chunk) decode(d *event.Decoder) {
	if cap(c.Examples) < len(c.Records) {
		c.Examples = make([]event.Example, max(len(c.Records), cap(c.Records)))
	}
	c.Examples, c.Arena, c.ids = c.Examples[:len(c.Records)], c.Arena[:0], c.ids[:0]
	for i := range c.Records {
		r, e := &c.Records[i], &c.Examples[i]
		c.Arena = d.Decode(r.Key, r.Value, c.Arena, e)
		c.near(e)
	}
}

// near moves a short id beside the others: the learner, on another processor mostly, would have to wait for each where it stands.
func (c *Chunk) near(e *event.Example) {
	if len(e.ID) == 0 || len(e.ID) > 64 {
		return
	}
	from := len(c.ids)
	c.ids = append(c.ids, e.ID...)
	e.ID = c.ids[from:len(c.ids):len(c.ids)]
}
