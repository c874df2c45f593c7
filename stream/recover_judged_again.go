package stream

import (
	"context"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/walk"
)

// below makes the outcome of an entry whose label is below the position. A member that takes over without having read
// the newest manifest judges labels again that were passed as repeats; the id of one may be used again by then. Whoever
// begins with that manifest takes the record alone: what it says of the others below the position holds.
func (x *labelRelearner) below(ctx context.Context, e *journal.Entry) (*journal.Outcome, error) {
	offset := e.Outcome.LabelOffset
	if offset < x.r.top.Labels.Partitions[x.Partition].Start {
		return nil, x.r.accept(x.labelGone(e, offset))
	}
	again := walk.Labels{Partition: x.Partition, Most: 1, Decoder: x.Decoder, IDs: x.IDs,
		Open: func(from int64) topics.Reader { return x.r.t.Log.Open(topics.Labels, x.Partition, from) }}
	rec, err := again.At(ctx, offset, offset+1)
	if err != nil {
		return nil, err
	}
	if rec == nil {
		return nil, x.r.accept(x.labelGone(e, offset))
	}
	if err := x.r.awaitSchema(ctx, x.placeOf(rec), rec, again.Label().Example, again.Again); err != nil {
		return nil, err
	}
	return x.act(ctx, again.Label(), again.ID(), e)
}
