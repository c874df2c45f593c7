package topics

import "context"

// Part is a stretch of a partition: offsets From up to, and not including, To.
type Part struct {
	Partition int32
	From, To  int64
}

// Opener opens partitions for reading.
type Opener interface {
	// Open starts reading a partition at an offset; of a topic with aborted transactions only committed records are
	// read.
	Open(topic Topic, partition int32, from int64) Reader
}

// TurnReader is a Reader that can be told that its caller reads some partitions of a wide topic at a time, in turns.
// Then more is requested of each, and nothing of a backlog before the next Read.
type TurnReader interface {
	Reader
	InTurns() // before the first Read
}

// AdvanceReader is a Reader that can leave out records.
type AdvanceReader interface {
	Reader
	Advance(to int64) // the next Read goes on at an offset above its position
}

// Cursor reads a part of a partition record by record, in one goroutine. A record is valid until the next one is
// read; what it aliases stays.
type Cursor struct {
	Part // To may change between calls

	reader Reader
	run    Run
	i      int // the next record of run
	max    int // records in a run
}

// NewCursor makes a cursor that reads at most max records at a time.
func NewCursor(log Opener, topic Topic, p Part, max int) *Cursor {
	run := Run{Partition: p.Partition, Next: p.From}
	return &Cursor{Part: p, reader: log.Open(topic, p.Partition, p.From), run: run, max: max}
}

// Head returns the next record without passing it; nil at the end of the part.
func (c *Cursor) Head(ctx context.Context) (*Record, error) {
	for c.i == len(c.run.Records) {
		if c.run.Next >= c.To {
			return nil, nil
		}
		c.i = 0
		if err := c.reader.Read(ctx, &c.run, c.max); err != nil {
			return nil, err
		}
	}
	if r := &c.run.Records[c.i]; r.Offset < c.To {
		return r, nil
	}
	return nil, nil
}

// Take passes the record that Head returned.
func (c *Cursor) Take() { c.i++ }

// Waits reports whether Head has to wait for the broker.
func (c *Cursor) Waits() bool { return c.i == len(c.run.Records) && c.run.Next < c.To }

// Position is the offset from which the part is still to be read.
func (c *Cursor) Position() int64 {
	at := c.run.Next
	if c.i < len(c.run.Records) {
		at = c.run.Records[c.i].Offset
	}
	return min(at, c.To)
}
