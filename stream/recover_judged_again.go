package stream

import (
	"context"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/late"
	"rosenblatt/stream/topics"
)

// below makes the outcome of an entry whose label is below the position. A member that takes over without having read
// the newest manifest judges labels again that were passed as repeats; the id of one may be used again by then. Whoever
// begins with that manifest takes the record alone: what it says of the others below the position holds.
func (x *labelRelearner) below(ctx context.Context, e *journal.Entry) (*journal.Outcome, error) {
	offset := e.Outcome.LabelOffset
	if offset < x.r.top.Labels.Partitions[x.partition].Start {
		return nil, x.r.accept(x.labelGone(e, offset))
	}
	part := topics.Part{Partition: x.partition, From: offset, To: offset + 1}
	rec, err := topics.NewCursor(x.r.t.Log, topics.Labels, part, 1).Head(ctx)
	if err != nil {
		return nil, err
	}
	if rec == nil {
		return nil, x.r.accept(x.labelGone(e, offset))
	}
	var batch event.Batch
	records := []topics.Record{*rec}
	batch.Decode(x.decoder, records)
	ids := appendIDs(nil, &x.r.st.Labels().IDs, batch.Examples, records)
	return x.act(ctx, late.LabelRecord{Partition: x.partition, Record: rec, Example: &batch.Examples[0]}, ids[0], e)
}
