package stream

import (
	"context"
	"fmt"
	"math"
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/late"
	"rosenblatt/stream/recall"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// labelRelearner reads one partition of the labels again.
type labelRelearner struct {
	r         *recovery
	partition int32
	decoder   *event.Decoder
	reader    topics.Reader // nil before the first outcome of the partition
	run       topics.Run
	batch     event.Batch // decoded from run
	ids       []labels.ID // of its records
	next      int         // in run
}

// labelsOf returns the relearner of a partition of the labels.
func (r *recovery) labelsOf(partition int32) (*labelRelearner, error) {
	if x := r.labels[partition]; x != nil {
		return x, nil
	}
	d, err := newDecoders(&r.st.Fixed)
	if err != nil {
		return nil, err
	}
	if r.labels == nil {
		r.labels = map[int32]*labelRelearner{}
	}
	x := &labelRelearner{r: r, partition: partition, decoder: d.labels}
	r.labels[partition] = x
	return x, nil
}

// makeOutcome makes the outcome of an entry anew. It returns nil without an error if there is none, and where a stop
// was accepted.
func (r *recovery) makeOutcome(ctx context.Context, e *journal.Entry) (*journal.Outcome, error) {
	st := r.st
	l := st.Labels()
	if l == nil {
		return st.Pending.Make(e.Kind, e.Outcome.Run().Partition, st.Proc), nil
	}
	if e.Kind.ByLabel() {
		partition := e.Outcome.Run().Partition
		//mutation:labels-replaced
		if r.plan.Labels.IsOther(partition) { // the record of this place is another one
			return nil, nil
		}
		if int(partition) >= len(st.LabelPositions) {
			return nil, nil
		}
		x, err := r.labelsOf(partition)
		if err != nil {
			return nil, err
		}
		return x.outcome(ctx, e)
	}
	x := l.Next(e.Kind)
	if x != nil && (e.Kind == journal.Assumed || e.Order == journal.Missing) {
		k, err := r.featuresOf(ctx, x)
		if err != nil {
			return nil, err
		}
		if k == nil && e.Kind == journal.Assumed {
			return nil, r.accept(r.eventGone(e, x))
		}
	}
	return l.Make(e.Kind, 0, st.Proc), nil
}

// featuresOf returns what is kept of an event, or read back; nil if the input no longer holds it.
func (r *recovery) featuresOf(ctx context.Context, e *labels.Example) (*labels.Kept, error) {
	l := r.st.Labels()
	if k, known := l.Features(e); known {
		return k, nil
	}
	l.Want(e)
	if err := l.RecallNow(ctx, r.t.Log); err != nil {
		return nil, err
	}
	k, _ := l.Features(e)
	return k, nil
}

func (r *recovery) eventGone(e *journal.Entry, x *labels.Example) *stops.Error {
	return &stops.Error{Name: stops.InputGone,
		What: fmt.Sprintf("seq %d learns from input partition %d offset %d, and the input no longer holds that record",
			e.Seq, x.Partition, x.Offset),
		Safe: fmt.Sprintf("the model up to seq %d and every published prediction", r.st.Seq),
		Do:   "restore the record; or go on without learning it again with --accept input-gone"}
}

// outcome makes the outcome of an entry that a label record made: nil if that record makes none. Of a missing entry it
// is the first record from the position on whose example waits, and that is not dead-lettered.
func (x *labelRelearner) outcome(ctx context.Context, e *journal.Entry) (*journal.Outcome, error) {
	to, found := x.r.top.Labels.Partitions[x.partition].Stable, e.Order != journal.Missing
	//mutation:labels-judged-below
	if found && e.Outcome.LabelOffset < x.r.st.LabelPositions[x.partition] {
		return x.below(ctx, e)
	}
	if found {
		//mutation:labels-cut
		to = min(e.Outcome.LabelOffset+1, x.end())
	}
	for {
		rec, err := x.head(ctx, to)
		if err != nil {
			return nil, err
		}
		if rec == nil {
			return nil, x.r.accept(x.labelGone(e, x.r.st.LabelPositions[x.partition]))
		}
		//mutation:repeats-passed
		if found && rec.Offset < e.Outcome.LabelOffset {
			x.pass(rec)
			continue
		}
		label := late.LabelRecord{Partition: x.partition, Record: rec, Example: &x.batch.Examples[x.next]}
		o, err := x.act(ctx, label, x.ids[x.next], e)
		x.take(rec)
		if o != nil || err != nil || found {
			return o, err
		}
	}
}

// pass counts a record that has no outcome in the journal, though behind it is one of the same partition that has: it
// is dead-lettered, null, or the repeat of a label. Its id may be forgotten since, and wait again.
func (x *labelRelearner) pass(rec *topics.Record) {
	st, label := x.r.st, &x.batch.Examples[x.next]
	switch {
	case st.SkipLabel(x.placeOf(rec), rec, label, x.ids[x.next]):
	case label.Rejected != nil:
		st.Labels().Counts.Reject(label.Rejected.Reason)
	default:
		st.Labels().CountRepeat()
	}
	x.take(rec)
}

// end is the offset below which the records of entries are: after the takeover that is known.
func (x *labelRelearner) end() int64 {
	//mutation:labels-grow
	if x.r.following {
		return math.MaxInt64
	}
	return x.r.top.Labels.Partitions[x.partition].End
}

func (x *labelRelearner) labelGone(e *journal.Entry, from int64) *stops.Error {
	return &stops.Error{Name: stops.InputGone,
		What: fmt.Sprintf("seq %d is the outcome of a label record in topic %s partition %d from offset %d on, and the"+
			" topic no longer holds that record", e.Seq, x.r.top.Labels.Name, x.partition, from),
		Safe: fmt.Sprintf("the model up to seq %d and every published prediction", x.r.st.Seq),
		Do:   "restore the record; or go on without learning it again with --accept input-gone"}
}

// act makes the outcome of a label record, nil if it has none.
func (x *labelRelearner) act(ctx context.Context, label late.LabelRecord, id labels.ID, e *journal.Entry,
) (*journal.Outcome, error) {
	st := x.r.st
	l := st.Labels()
	if st.SkipLabel(x.placeOf(label.Record), label.Record, label.Example, id) {
		return nil, nil
	}
	if why := label.Example.Rejected; why != nil {
		l.Counts.Reject(why.Reason)
		return nil, nil
	}
	verdict, waits := l.Waiting.Find(id, labels.LabelOf(label.Example))
	if verdict != labels.Waits { // without a dead letter it is a repeat, or was one while more ids were remembered
		l.CountRepeat()
		return nil, nil
	}
	if _, known := l.Features(waits); !known {
		if err := x.r.wantAhead(ctx, x); err != nil {
			return nil, err
		}
	}
	var k *labels.Kept
	if e.Kind == journal.Labelled {
		var err error
		if k, err = x.r.featuresOf(ctx, waits); err != nil {
			return nil, err
		}
		if k == nil {
			return nil, x.r.accept(x.r.eventGone(e, waits))
		}
	}
	o, rejected := l.MakeLabelled(waits, k, &label, st.Proc)
	if rejected != nil {
		l.Counts.Reject(rejected.Reason)
		return nil, nil
	}
	//mutation:labels-counted-again
	l.CountLabel(label.Example, label.Record, labels.Labelled)
	return o, nil
}

// placeOf is where a record of the partition is.
func (x *labelRelearner) placeOf(rec *topics.Record) topics.Place {
	return topics.Place{Topic: topics.Labels, Partition: x.partition, Offset: rec.Offset}
}

// head returns the next record from the position on and below an offset, nil without one.
func (x *labelRelearner) head(ctx context.Context, to int64) (*topics.Record, error) {
	from := x.r.st.LabelPositions[x.partition]
	if x.reader == nil {
		x.reader = x.r.st.Open(x.r.t.Log, topics.Labels, x.partition)
		x.run.Reset(x.partition, from)
	}
	for {
		//mutation:labels-passed
		for x.next < len(x.run.Records) && x.run.Records[x.next].Offset < from {
			x.next++ // passed while the task follows
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
		x.run.Reset(x.partition, next)
		x.next = 0
		if err := x.reader.Read(ctx, &x.run, x.most()); err != nil {
			return nil, err
		}
		x.batch.Decode(x.decoder, x.run.Records)
		x.ids = appendIDs(x.ids[:0], &x.r.st.Labels().IDs, x.batch.Examples, x.run.Records)
	}
	if rec := &x.run.Records[x.next]; rec.Offset < to {
		return rec, nil
	}
	return nil, nil
}

// most is how many records are read at a time: many, since their events are read back together.
func (x *labelRelearner) most() int {
	return max(256, recall.Most/len(x.r.top.Labels.Partitions))
}

// wantAhead notes which events the next labels need: first those of one partition, then, as far as there is room, those
// of the others, so that one pass over the input is enough for all.
func (r *recovery) wantAhead(ctx context.Context, first *labelRelearner) error {
	r.st.Labels().WantAll(first.ids[first.next:])
	for p, b := range r.top.Labels.Partitions {
		if from := r.st.LabelPositions[p]; int32(p) == first.partition || from < b.Start || from >= b.Stable {
			continue
		}
		x, err := r.labelsOf(int32(p))
		if err == nil {
			_, err = x.head(ctx, b.Stable)
		}
		if err != nil {
			return err
		}
		r.st.Labels().WantAll(x.ids[x.next:])
	}
	return nil
}

// take passes a record.
func (x *labelRelearner) take(rec *topics.Record) {
	x.next++
	x.r.st.LabelPositions[x.partition] = rec.Offset + 1
	x.r.st.Moved(topics.Labels, x.partition, rec.Offset+1, x.run.Leader)
	x.r.st.Labels().NoteRead(x.partition, rec, time.Now().UnixMilli())
}
