package stream

import (
	"context"
	"fmt"
	"math"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// relearner reads one input partition again, record by record.
type relearner struct {
	r         *recovery
	partition int32
	decoder   *event.Decoder
	reader    topics.Reader
	chunk     chunk
	i         int
}

// relearn passes rejected records up to the answered one and learns that one again.
func (x *relearner) relearn(ctx context.Context, a journal.Prediction) error {
	st := x.r.st
	for {
		rec, e, err := x.record(ctx, a)
		if err != nil || rec == nil {
			return err
		}
		o, reason, _ := st.proc.Predict(e, e.Features(x.chunk.arena))
		at := place{x.partition, rec.Offset}
		d, dead := st.dead[at]
		switch {
		case rec.Offset == a.Offset && (reason != event.OK || dead || e.Skip):
			if !x.r.lenient {
				return differs(fmt.Sprintf("seq %d answers input partition %d offset %d, which is rejected now (%s) or was dead-lettered", a.Seq, a.Partition, a.Offset, reason), st.seq)
			}
		case rec.Offset == a.Offset:
			if !x.r.lenient && math.Float64bits(o.Score) != math.Float64bits(a.Score) {
				return differs(fmt.Sprintf("seq %d (input partition %d offset %d) was published with score %v, computed again it is %v", a.Seq, a.Partition, a.Offset, a.Score, o.Score), st.seq)
			}
			st.counts.Read++
			st.counts.Answered++
			st.proc.Learn(rec, o)
		case dead:
			st.counts.Reject(d.reason)
		case st.passed(at):
		case e.Skip:
			st.counts.Read++
			st.counts.Tombstones++
		case reason != event.OK:
			st.counts.Reject(reason)
		case x.r.lenient: // it was answered, and its answer is gone: it is learned as it was then
			st.counts.Read++
			st.counts.Answered++
			st.proc.Learn(rec, o)
		default:
			return differs(fmt.Sprintf("input partition %d offset %d is no reject, and the journal passes it (seq %d answers offset %d)", x.partition, rec.Offset, a.Seq, a.Offset), st.seq)
		}
		x.i++
		st.positions[x.partition] = rec.Offset + 1
		if rec.Offset == a.Offset {
			return nil
		}
	}
}

// record returns the next record at or below the answered offset, decoded. Without one the input is gone: with a stop
// accepted it returns nil, and the answer is passed.
func (x *relearner) record(ctx context.Context, a journal.Prediction) (*topics.Record, *event.Example, error) {
	if x.reader == nil {
		x.chunk = chunk{Run: topics.Run{Partition: x.partition, Next: x.r.st.positions[x.partition]}}
		x.reader = x.r.t.Log.Open(topics.Input, x.partition, x.chunk.Next)
	}
	there := a.Offset < x.r.top.Input.Partitions[x.partition].End // as it stands after the takeover
	for there && x.i == len(x.chunk.Records) && x.chunk.Next <= a.Offset {
		x.i = 0
		if err := x.reader.Read(ctx, &x.chunk.Run, x.r.t.Config.ChunkRecords); err != nil {
			return nil, nil, err
		}
		x.chunk.decode(x.decoder)
	}
	if there && x.i < len(x.chunk.Records) && x.chunk.Records[x.i].Offset <= a.Offset {
		return &x.chunk.Records[x.i], &x.chunk.examples[x.i], nil
	}
	pass := func() {
		if !there {
			return // the position stays within the log
		}
		x.r.st.positions[x.partition] = max(x.r.st.positions[x.partition], a.Offset+1)
	}
	if x.r.lenient {
		pass()
		return nil, nil, nil
	}
	return nil, nil, x.r.accept(&stops.Error{Name: stops.InputGone, What: fmt.Sprintf("seq %d answers input partition %d offset %d, and the input no longer holds that record", a.Seq, a.Partition, a.Offset),
		Safe: fmt.Sprintf("the model up to seq %d and every published answer", x.r.st.seq),
		Do:   "restore the record; or go on without learning it again with --accept input-gone"}, pass)
}

// passed tells whether --skip once passed a record.
func (s *state) passed(at place) bool {
	for _, r := range s.skipped {
		if r.Partition == at.partition && r.From <= at.offset && at.offset <= r.To {
			return true
		}
	}
	return false
}
