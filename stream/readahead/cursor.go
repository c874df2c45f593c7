package readahead

import (
	"context"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// Cursor reads a part of a partition record by record, like a topics.Cursor. A record, and what was made of it, is
// valid until the Head after its Take.
type Cursor struct {
	topics.Part             // To may change between calls, up to what it was at Open
	blocks      chan *block // in the order of the partition
	free        chan *block
	err         error // why reading ended early; read when blocks is closed
	now         *block
	i           int   // the next record of now
	at          int64 // the position after all blocks before now
}

// Head returns the next record without passing it; nil at the end of the part.
func (c *Cursor) Head(ctx context.Context) (*topics.Record, error) {
	for c.now == nil || c.i == len(c.now.Records) {
		c.release()
		if c.at >= c.To {
			return nil, nil
		}
		if ok, err := c.receive(ctx); !ok {
			return nil, err
		}
	}
	if r := &c.now.Records[c.i]; r.Offset < c.To {
		return r, nil
	}
	return nil, nil
}

// release frees the block, and the memory of its records.
func (c *Cursor) release() {
	if c.now != nil {
		c.at, c.i = c.now.Next, 0
		c.now.Release()
		c.free <- c.now
		c.now = nil
	}
}

// receive waits for the next block, and until it is prepared; false at the end.
func (c *Cursor) receive(ctx context.Context) (bool, error) {
	var b *block
	select {
	case b = <-c.blocks:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	if b == nil {
		return false, c.err
	}
	if b.unprepared() {
		select {
		case <-b.ready:
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
	c.now = b
	return true, nil
}

// Take passes the record that Head returned.
func (c *Cursor) Take() { c.i++ }

// Example is what the record says that Head returned, of the input.
func (c *Cursor) Example() *event.Example { return &c.now.Examples[c.i] }

// Features are those of Example.
func (c *Cursor) Features() []learner.Feature { return c.now.Features(c.i) }

// Entries is a partition of the output as a journal.Source.
type Entries struct{ *Cursor }

// Next implements journal.Source.
func (e Entries) Next(ctx context.Context) (*journal.Entry, error) {
	if r, err := e.Head(ctx); r == nil {
		return nil, err
	}
	next := &e.now.entries[e.i]
	e.Take()
	return next, nil
}

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
