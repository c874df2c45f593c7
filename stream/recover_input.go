package stream

import (
	"context"
	"fmt"
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/late"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// relearner reads one input partition again.
type relearner struct {
	r         *recovery
	partition int32
	cursor    *readahead.Cursor // nil before the first entry of the partition
}

// relearn passes rejected records up to the predicted one and learns that one again.
func (x *relearner) relearn(ctx context.Context, e *journal.Entry) error {
	for {
		rec, err := x.record(ctx, e)
		if err != nil || rec == nil {
			return err
		}
		if err := x.handle(rec, e); err != nil {
			return err
		}
		x.take(rec)
		if rec.Offset == e.Offset {
			return nil
		}
	}
}

// handle counts or learns a record at or before the entry's.
func (x *relearner) handle(rec *topics.Record, e *journal.Entry) error {
	st, compared, published := x.r.st, !x.r.stopAccepted, rec.Offset == e.Offset
	p := x.predicted(rec)
	skipped, rejected := st.Step(&p)
	switch {
	case published && (skipped || rejected != nil):
		if compared {
			return x.r.differs("seq %d is for input partition %d offset %d, which is rejected now (%v)"+
				" or was dead-lettered", e.Seq, e.Partition, e.Offset, rejected)
		}
	//mutation:score-compared
	case published && compared && math.Float64bits(p.Outcome.Score) != math.Float64bits(e.Score):
		return x.r.differs("seq %d (input partition %d offset %d) was published with score %v, computed again it is %v",
			e.Seq, e.Partition, e.Offset, e.Score, p.Outcome.Score)
	case published:
		p.Seq, p.At = e.Seq, e.Record.Timestamp
		st.Learn(&p)
	case skipped:
	case rejected != nil:
		st.Counts.Reject(rejected.Reason)
	case !compared:
		st.LearnUnpublished(&p)
	default:
		return x.r.differs("input partition %d offset %d would not be rejected, and the journal passes it"+
			" (seq %d is for offset %d)",
			x.partition, rec.Offset, e.Seq, e.Offset)
	}
	return nil
}

// predicted is the next record for State.Step.
func (x *relearner) predicted(rec *topics.Record) late.Predicted {
	return late.Predicted{Partition: x.partition, Record: rec, Example: x.cursor.Example(),
		Features: x.cursor.Features()}
}

// readOn passes what no entry will be of: dead-lettered records, skipped tombstones, and offsets that hold no record,
// as markers. It goes up to the first record that needs an entry, or as far as was read ahead: what cannot be read is
// an error only where it is needed.
func (x *relearner) readOn(ctx context.Context) error {
	position := &x.r.st.Positions[x.partition]
	for x.cursor.To = math.MaxInt64; ; {
		rec, err := x.cursor.HeadNow(ctx)
		switch {
		case err != nil:
			return ctx.Err()
		case rec != nil && x.r.st.Skip(x.at(rec), x.cursor.Example()):
			x.take(rec)
		default:
			*position = max(*position, x.cursor.Position())
			return nil
		}
	}
}

func (x *relearner) at(rec *topics.Record) topics.Place {
	return topics.Place{Partition: x.partition, Offset: rec.Offset}
}

func (x *relearner) take(rec *topics.Record) {
	x.r.st.Moved(topics.Input, x.partition, rec.Offset+1, x.cursor.Leader())
	x.cursor.Take()
	x.r.st.Positions[x.partition] = rec.Offset + 1
}

// head returns the next record from the position on and below an offset, nil without one.
func (x *relearner) head(ctx context.Context, to int64) (*topics.Record, error) {
	x.open()
	x.cursor.To = to
	return x.cursor.Head(ctx)
}

// end is the offset below which the records of entries are: after the takeover that is known.
func (x *relearner) end() int64 {
	if x.r.following {
		return math.MaxInt64
	}
	return x.r.top.Input.Partitions[x.partition].End
}

// open begins to read the partition.
func (x *relearner) open() {
	if x.cursor == nil {
		x.cursor = x.r.open(topics.Input, x.partition, x.r.st.Positions[x.partition], x.end())
	}
}

// record returns the next record up to the predicted one. Without one the input is gone: it returns nil where a stop
// was accepted, and the entry is passed.
func (x *relearner) record(ctx context.Context, e *journal.Entry) (*topics.Record, error) {
	end := x.end()
	if e.Offset < end {
		if rec, err := x.head(ctx, e.Offset+1); rec != nil || err != nil {
			return rec, err
		}
	}
	if !x.r.stopAccepted {
		err := x.r.accept(&stops.Error{Name: stops.InputGone,
			What: fmt.Sprintf("seq %d is for input partition %d offset %d, and the input no longer holds that record",
				e.Seq, e.Partition, e.Offset),
			Safe: fmt.Sprintf("the model up to seq %d and every published prediction", x.r.st.Seq),
			Do:   "restore the record; or go on without learning it again with --accept input-gone"})
		if err != nil {
			return nil, err
		}
	}
	if e.Offset < end { // else the position stays within the log
		x.r.st.Positions[x.partition] = max(x.r.st.Positions[x.partition], e.Offset+1)
	}
	return nil, nil
}
