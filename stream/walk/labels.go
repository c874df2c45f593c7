package walk

import (
	"context"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/late"
	"rosenblatt/stream/recall"
	"rosenblatt/stream/topics"
)

// Labels is a partition of label records. They are decoded many at a time: the ids of those that come next say which
// events have to be read back.
type Labels struct {
	Partition int32
	Most      int // records that are read at a time
	Decoder   *event.Decoder
	IDs       *labels.Identifier
	Open      func(from int64) topics.Reader

	reader topics.Reader // nil before the first record
	run    topics.Run
	batch  event.Batch // decoded from run
	ids    []labels.ID // of its records
	next   int         // in run
}

// Many is how many records are read at a time of a topic with so many partitions: events of all of them are read back
// together.
func Many(partitions int) int { return max(256, recall.Most/partitions) }

// Head returns the next record from an offset on and below another; nil without one. What is below from is passed, also
// where it was read already. What Head returns, and what is known of it, is valid until the Head after its Take.
func (x *Labels) Head(ctx context.Context, from, to int64) (*topics.Record, error) {
	if x.reader == nil {
		x.reader = x.Open(from)
		x.run.Reset(x.Partition, from)
	}
	for {
		//mutation:labels-passed
		for x.next < len(x.run.Records) && x.run.Records[x.next].Offset < from {
			x.next++
		}
		if x.next < len(x.run.Records) {
			break
		}
		next := max(x.run.Next, from)
		if next >= to {
			return nil, nil
		}
		if s, ok := x.reader.(topics.AdvanceReader); ok && next > x.run.Next {
			s.Advance(next) // what is below may be deleted by now
		}
		x.run.Release()
		x.run.Reset(x.Partition, next)
		x.next = 0
		if err := x.reader.Read(ctx, &x.run, x.Most); err != nil {
			return nil, err
		}
		x.decode()
	}
	if rec := &x.run.Records[x.next]; rec.Offset < to {
		return rec, nil
	}
	return nil, nil
}

func (x *Labels) decode() {
	x.batch.Decode(x.Decoder, x.run.Records)
	x.ids = x.IDs.Append(x.ids[:0], x.batch.Examples, x.run.Records)
}

// Again decodes what was read once more: a schema was not known.
func (x *Labels) Again() { x.decode() }

// At returns the record at an offset, nil without one. Of one partition, what is asked for mostly rises.
func (x *Labels) At(ctx context.Context, offset, to int64) (*topics.Record, error) {
	if x.reader != nil && x.position() > offset {
		x.run.Release()
		x.reader, x.next = nil, 0
	}
	rec, err := x.Head(ctx, offset, to)
	if rec != nil && rec.Offset > offset {
		return nil, err
	}
	return rec, err
}

// position is the offset of the next record that was read, or from which reading goes on.
func (x *Labels) position() int64 {
	if x.next < len(x.run.Records) {
		return x.run.Records[x.next].Offset
	}
	return x.run.Next
}

// Label is the record that Head returned, and what it says.
func (x *Labels) Label() *late.LabelRecord {
	return &late.LabelRecord{Partition: x.Partition, Record: &x.run.Records[x.next], Example: &x.batch.Examples[x.next]}
}

// ID is the id of the record that Head returned.
func (x *Labels) ID() labels.ID { return x.ids[x.next] }

// Ahead are the ids of that record and of those that were read behind it.
func (x *Labels) Ahead() []labels.ID { return x.ids[x.next:] }

// Leader is the leader epoch of the record that Head returned.
func (x *Labels) Leader() int32 { return x.run.Leader }

// Take passes the record that Head returned.
func (x *Labels) Take() { x.next++ }
