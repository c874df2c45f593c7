package stream

import (
	"context"
	"fmt"
	"math"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/late"
	"rosenblatt/stream/model"
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
	st, compared := x.r.st, !x.r.stopAccepted
	o, rejected := x.predict()
	dead := st.Dead.Has(x.at(rec))
	switch {
	case rec.Offset == e.Offset && (rejected != nil || dead || x.cursor.Example().Skip):
		if compared {
			return x.r.differs("seq %d is for input partition %d offset %d, which is rejected now (%v)"+
				" or was dead-lettered", e.Seq, e.Partition, e.Offset, rejected)
		}
	//mutation:score-compared
	case rec.Offset == e.Offset && compared && math.Float64bits(o.Score) != math.Float64bits(e.Score):
		return x.r.differs("seq %d (input partition %d offset %d) was published with score %v, computed again it is %v",
			e.Seq, e.Partition, e.Offset, e.Score, o.Score)
	case rec.Offset == e.Offset:
		x.learn(rec, o, e.Seq, e.Record.Timestamp)
	case x.passed(rec):
	case rejected != nil:
		st.Counts.Reject(rejected.Reason)
	case !compared: // its prediction is gone, and with it what would become of that
		st.Counts.Predict(o)
		st.Proc.Learn(rec, o)
	default:
		return x.r.differs("input partition %d offset %d would not be rejected, and the journal passes it"+
			" (seq %d is for offset %d)",
			x.partition, rec.Offset, e.Seq, e.Offset)
	}
	return nil
}

func (x *relearner) predict() (*model.Outcome, *event.Error) {
	return x.r.st.Proc.Predict(x.cursor.Example(), x.cursor.Features())
}

// passed counts a record that has no prediction, whatever the model says of it now.
func (x *relearner) passed(rec *topics.Record) bool {
	st := x.r.st
	d, dead := st.Dead.Take(x.at(rec))
	switch {
	case dead:
		st.Counts.Reject(d.Reason)
	case topics.Skips(st.Skipped, x.partition, rec.Offset):
	case x.cursor.Example().Skip:
		st.Counts.SkipTombstone()
	default:
		return false
	}
	return true
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
		case rec != nil && x.passed(rec):
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

// learn learns the record of an entry that was made then, ms.
func (x *relearner) learn(rec *topics.Record, o *model.Outcome, seq, at int64) {
	x.r.st.Counts.Predict(o)
	x.r.st.Learn(&late.Predicted{Seq: seq, Partition: x.partition, At: at, Record: rec, Example: x.cursor.Example(),
		Features: x.cursor.Features(), Outcome: o})
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
