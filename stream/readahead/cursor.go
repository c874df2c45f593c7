package readahead

import (
	"context"
	"slices"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// Cursor reads a part of a partition record by record, like a topics.Cursor. A record, and what was made of it, is
// valid until the Head after its Take.
type Cursor struct {
	topics.Part // To may change between calls, up to what it was at Open

	group  *Group
	topic  topics.Topic
	blocks chan *block // in the order of the partition
	free   chan *block
	err    error // why reading ended early; read when blocks is closed
	now    *block
	i      int   // the next record of now
	at     int64 // the position after all blocks before now

	entry journal.Entry // of the journal: the one that Entries.Next returned

	// Of the input:
	passed []*block // to the decoders, after now
	visit  int      // blocks since another partition was used
	step   int      // how many records to decode next
}

const (
	mostStep = 64 // decoded, they are in a processor's cache when they are used
	longRun  = 4  // blocks of one partition: more of it are likely to follow, about a fourth of what was
)

// Head returns the next record without passing it; nil at the end of the part.
func (c *Cursor) Head(ctx context.Context) (*topics.Record, error) {
	if c.topic == topics.Input && c.group.used != c {
		c.group.used, c.visit, c.step = c, 0, 1
	}
	for c.now == nil || c.i == len(c.now.Records) {
		c.release()
		if c.at >= c.To {
			return nil, nil
		}
		if ok, err := c.receive(ctx); !ok {
			return nil, err
		}
	}
	r := &c.now.Records[c.i]
	switch {
	case r.Offset >= c.To:
		return nil, nil
	case c.topic == topics.Input && c.i >= c.now.to:
		c.decode()
	}
	return r, nil
}

// HeadNow is Head that does not wait for the broker: it returns nil, too, where nothing more was read ahead.
func (c *Cursor) HeadNow(ctx context.Context) (*topics.Record, error) {
	for c.now == nil || c.i == len(c.now.Records) {
		if c.release(); c.at >= c.To || len(c.passed)+len(c.blocks) == 0 {
			return nil, nil
		}
		if ok, err := c.receive(ctx); !ok {
			return nil, err
		}
	}
	return c.Head(ctx)
}

// decode decodes the next records: one, and more and more as long as no other partition is used.
func (c *Cursor) decode() {
	if c.now.examples == nil {
		c.now.examples = c.group.newExamples()
	}
	c.now.decode(c.group.decoder, c.i, c.step)
	c.step = min(2*c.step, mostStep)
}

// Again decodes the record that Head returned, of the input, once more: its schema was not known.
func (c *Cursor) Again() { c.decode() }

// release frees the block, and the memory of its records.
func (c *Cursor) release() {
	b := c.now
	if b == nil {
		return
	}
	c.at, c.i, c.now = b.Next, 0, nil
	if b.examples != nil {
		c.group.examples = append(c.group.examples, b.examples)
	}
	b.examples, b.from, b.to = nil, 0, 0
	b.Release()
	c.free <- b
}

// receive waits for the next block; false at the end.
func (c *Cursor) receive(ctx context.Context) (bool, error) {
	var b *block
	if len(c.passed) > 0 {
		b = c.passed[0]
		select {
		case <-b.decoded:
		case <-ctx.Done():
			return false, ctx.Err()
		case <-c.group.ctx.Done():
			return false, c.group.ctx.Err()
		}
		c.passed = slices.Delete(c.passed, 0, 1)
	} else {
		select {
		case b = <-c.blocks:
		case <-ctx.Done():
			return false, ctx.Err()
		}
		if b == nil {
			return false, c.err
		}
	}
	c.now = b
	if c.topic == topics.Input {
		c.visit++
		c.pass()
	}
	return true, nil
}

// pass passes blocks that are there to the decoders, in a long run of records of this partition.
func (c *Cursor) pass() {
	for len(c.passed) < c.visit/longRun {
		select {
		case b := <-c.blocks:
			if b == nil {
				return
			}
			b.examples = c.group.newExamples()
			c.passed = append(c.passed, b)
			c.group.pass(b)
		default:
			return
		}
	}
}

// Leader is the leader epoch of the record that Head returned.
func (c *Cursor) Leader() int32 { return c.now.Leader }

// Take passes the record that Head returned.
func (c *Cursor) Take() { c.i++ }

// Example is what the record says that Head returned, of the input.
func (c *Cursor) Example() *event.Example { return &c.now.examples.Examples[c.i-c.now.from] }

// Features are those of Example.
func (c *Cursor) Features() []learner.Feature { return c.now.examples.Features(c.i - c.now.from) }

// Position is the offset from which the part is still to be read.
func (c *Cursor) Position() int64 {
	at := c.at
	switch {
	case c.now == nil:
	case c.i < len(c.now.Records):
		at = c.now.Records[c.i].Offset
	default:
		at = c.now.Next
	}
	return min(at, c.To)
}
