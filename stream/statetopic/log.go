package statetopic

import (
	"context"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// Log is the partition of the checkpoint topic that a task has. Package stream/kafka implements it.
type Log interface {
	// Bounds returns the first offset, and that behind the last record that can be read now.
	Bounds(ctx context.Context) (from, to int64, err error)
	// Open starts reading at an offset. What cannot be read is passed over.
	Open(from int64) topics.Reader
	// Append writes a batch and waits for its acknowledgement. It needs a takeover before. Errors:
	// topics.ErrIndeterminate, *topics.Refused, *stops.Error, or the context's.
	Append(ctx context.Context, records *recordbatch.Builder) error
}
