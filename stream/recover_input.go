package stream

import (
	"context"
	"fmt"
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/silence"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/walk"
)

// relearner reads one input partition again.
type relearner struct {
	walk.Records
	r    *recovery
	head int64 // of a follower: the first record that needs an entry; silence.None: none that was read
}

func (r *recovery) newRelearner(partition int32) *relearner {
	x := &relearner{r: r, head: silence.None}
	x.Records = walk.Records{Number: partition, Open: func() *readahead.Cursor {
		return r.open(topics.Input, partition, r.st.Positions[partition], x.end())
	}}
	return x
}

// relearn passes rejected records up to the predicted one and learns that one again.
func (x *relearner) relearn(ctx context.Context, e *journal.Entry) error {
	for {
		rec, err := x.record(ctx, e)
		if err != nil || rec == nil {
			return err
		}
		if rec.Offset == e.Offset {
			//mutation:schema-of-an-entry
			if err := x.r.awaitSchema(ctx, x.at(rec), rec, x.Example(), x.Again); err != nil {
				return err
			}
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
	p := x.Predicted(rec)
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
	//mutation:threshold-compared
	case published && compared && !e.Threshold.Is(p.Outcome):
		return x.r.differs("seq %d (input partition %d offset %d) was published with threshold %v, computed again it"+
			" is %v", e.Seq, e.Partition, e.Offset, e.Threshold,
			journal.Threshold{Has: p.Outcome.HasThreshold, At: p.Outcome.Threshold})
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
			x.Number, rec.Offset, e.Seq, e.Offset)
	}
	return nil
}

// readOn passes what no entry will be of: dead-lettered records, skipped tombstones, and offsets that hold no record,
// as markers. It goes up to the first record that needs an entry, or as far as was read ahead: what cannot be read is
// an error only where it is needed.
func (x *relearner) readOn(ctx context.Context) error {
	position := &x.r.st.Positions[x.Number]
	x.head = silence.None
	for x.Cursor.To = math.MaxInt64; ; {
		rec, err := x.Cursor.HeadNow(ctx)
		switch {
		case err != nil:
			return ctx.Err()
		//mutation:passed-records-wait
		case rec != nil && x.r.st.Skip(x.at(rec), x.Example()):
			x.take(rec)
		default:
			if rec != nil {
				x.head = rec.Offset
			}
			*position = max(*position, x.Cursor.Position())
			return nil
		}
	}
}

func (x *relearner) at(rec *topics.Record) topics.Place {
	return topics.Place{Partition: x.Number, Offset: rec.Offset}
}

func (x *relearner) take(rec *topics.Record) {
	x.r.st.Moved(topics.Input, x.Number, rec.Offset+1, x.Cursor.Leader())
	x.Cursor.Take()
	x.r.st.Positions[x.Number] = rec.Offset + 1
}

// end is the offset below which the records of entries are: after the takeover that is known.
func (x *relearner) end() int64 {
	if x.r.following {
		return math.MaxInt64
	}
	return x.r.top.Input.Partitions[x.Number].End
}

// record returns the next record up to the predicted one. Without one the input is gone: it returns nil where a stop
// was accepted, and the entry is passed.
func (x *relearner) record(ctx context.Context, e *journal.Entry) (*topics.Record, error) {
	end := x.end()
	if e.Offset < end {
		if rec, err := x.Below(ctx, e.Offset+1); rec != nil || err != nil {
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
		x.r.st.Positions[x.Number] = max(x.r.st.Positions[x.Number], e.Offset+1)
	}
	return nil, nil
}
