package walk

import (
	"context"

	"rosenblatt/stream/late"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/topics"
)

// Records is a partition of the input.
type Records struct {
	*readahead.Cursor // nil before the first record is needed
	Number            int32
	Open              func() *readahead.Cursor // from the position on
}

// Begin begins to read, if that was not done.
func (x *Records) Begin() {
	if x.Cursor == nil {
		x.Cursor = x.Open()
	}
}

// Below returns the next record if that is below an offset, nil without one.
func (x *Records) Below(ctx context.Context, to int64) (*topics.Record, error) {
	x.Begin()
	x.To = to
	return x.Head(ctx)
}

// Predicted is what is known of a record that Below returned, before it is predicted.
func (x *Records) Predicted(r *topics.Record) late.Predicted {
	return late.Predicted{Partition: x.Number, Record: r, Example: x.Example(), Features: x.Features()}
}
