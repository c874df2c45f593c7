package stream

import (
	"context"
	"fmt"
	"math"
	"time"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/late"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/walk"
)

// labelRelearner reads one partition of the labels again.
type labelRelearner struct {
	walk.Labels
	r *recovery
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
	x := &labelRelearner{r: r, Labels: walk.Labels{Partition: partition, Decoder: d.labels, IDs: d.ids,
		Most: walk.Many(len(r.top.Labels.Partitions))}}
	x.Open = func(int64) topics.Reader { return r.st.Open(r.t.Log, topics.Labels, partition) }
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
		k, err := l.FeaturesNow(ctx, r.t.eventLog(), x)
		if err != nil {
			return nil, err
		}
		if k == nil && e.Kind == journal.Assumed {
			return nil, r.accept(r.eventGone(e, x))
		}
	}
	return l.Make(e.Kind, 0, st.Proc), nil
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
	to, found := x.r.top.Labels.Partitions[x.Partition].Stable, e.Order != journal.Missing
	//mutation:labels-judged-below
	if found && e.Outcome.LabelOffset < x.r.st.LabelPositions[x.Partition] {
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
			return nil, x.r.accept(x.labelGone(e, x.r.st.LabelPositions[x.Partition]))
		}
		//mutation:repeats-passed
		if found && rec.Offset < e.Outcome.LabelOffset {
			x.pass(rec)
			continue
		}
		//mutation:schema-of-a-label
		if err := x.r.awaitSchema(ctx, x.placeOf(rec), rec, x.Label().Example, x.Again); err != nil {
			return nil, err
		}
		o, err := x.act(ctx, x.Label(), x.ID(), e)
		x.take(rec)
		if o != nil || err != nil || found {
			return o, err
		}
	}
}

// pass counts a record that has no outcome in the journal, though behind it is one of the same partition that has: it
// is dead-lettered, null, or the repeat of a label. Its id may be forgotten since, and wait again.
func (x *labelRelearner) pass(rec *topics.Record) {
	st, label := x.r.st, x.Label().Example
	switch {
	case st.SkipLabel(x.placeOf(rec), rec, label, x.ID()):
	case label.Rejected != nil && !lacksSchema(label):
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
	return x.r.top.Labels.Partitions[x.Partition].End
}

func (x *labelRelearner) labelGone(e *journal.Entry, from int64) *stops.Error {
	return &stops.Error{Name: stops.InputGone,
		What: fmt.Sprintf("seq %d is the outcome of a label record in topic %s partition %d from offset %d on, and the"+
			" topic no longer holds that record", e.Seq, x.r.top.Labels.Name, x.Partition, from),
		Safe: fmt.Sprintf("the model up to seq %d and every published prediction", x.r.st.Seq),
		Do:   "restore the record; or go on without learning it again with --accept input-gone"}
}

// act makes the outcome of a label record, nil if it has none.
func (x *labelRelearner) act(ctx context.Context, label *late.LabelRecord, id labels.ID, e *journal.Entry,
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
		if k, err = l.FeaturesNow(ctx, x.r.t.eventLog(), waits); err != nil {
			return nil, err
		}
		if k == nil {
			return nil, x.r.accept(x.r.eventGone(e, waits))
		}
	}
	o, rejected := l.MakeLabelled(waits, k, label, st.Proc)
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
	return topics.Place{Topic: topics.Labels, Partition: x.Partition, Offset: rec.Offset}
}

// head returns the next record from the position on and below an offset, nil without one.
func (x *labelRelearner) head(ctx context.Context, to int64) (*topics.Record, error) {
	return x.Head(ctx, x.r.st.LabelPositions[x.Partition], to)
}

// wantAhead notes which events the next labels need: first those of one partition, then, as far as there is room, those
// of the others, so that one pass over the input is enough for all.
func (r *recovery) wantAhead(ctx context.Context, first *labelRelearner) error {
	r.st.Labels().WantAll(first.Ahead())
	for p, b := range r.top.Labels.Partitions {
		if from := r.st.LabelPositions[p]; int32(p) == first.Partition || from < b.Start || from >= b.Stable {
			continue
		}
		x, err := r.labelsOf(int32(p))
		if err == nil {
			_, err = x.head(ctx, b.Stable)
		}
		if err != nil {
			return err
		}
		r.st.Labels().WantAll(x.Ahead())
	}
	return nil
}

// take passes a record.
func (x *labelRelearner) take(rec *topics.Record) {
	x.Take()
	x.r.st.LabelPositions[x.Partition] = rec.Offset + 1
	x.r.st.Moved(topics.Labels, x.Partition, rec.Offset+1, x.Leader())
	x.r.st.Labels().NoteRead(x.Partition, rec, time.Now().UnixMilli())
}
