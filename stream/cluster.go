package stream

import (
	"context"

	"rosenblatt/stream/topics"
)

// Log reads from a cluster.
type Log interface {
	topics.Opener
	// Topology returns the ids, bounds and settings of the task's three topics.
	Topology(ctx context.Context) (*topics.Topology, error)
	// Skip makes input readers that are opened from now on leave out these records, readable or not: those that --skip
	// has named at this start or an earlier one.
	Skip(ranges []topics.SkipRange)
}

// Journal writes predictions and dead letters under a fence. One goroutine uses it.
type Journal interface {
	// Takeover makes this process the only writer of the task's topics (PROTOCOL.md, "Takeover"): InitProducerID with
	// what is held (NoProducer for a starting process), one empty transaction over every partition of the output and
	// dead-letter topics, and the wait until its markers are read. Errors: *stops.Error (fence-failed, fenced, ...), or
	// the context's.
	Takeover(ctx context.Context, held topics.Producer) (*topics.Fence, error)
	// Renew writes the markers anew under the same producer epoch, with nothing in flight, when the fence is older than
	// its limit; else it does nothing. The fence it returns is the one that holds.
	Renew(ctx context.Context) (*topics.Fence, error)
	// Append writes batches, at most one for a partition, waits for their acknowledgements, and sets each one's End.
	// Errors: ErrIndeterminate (recover), *Refused (one record too large for the topic; all before it are written),
	// *stops.Error, or the context's, after which it is not known which batches were written.
	Append(ctx context.Context, batches []topics.Batch) error
}

// Committer keeps the positions of the task in a consumer group, for Kafka's lag tools.
type Committer interface {
	// Commit sets the group's offsets of the input: one for each partition, negative to leave a partition out.
	Commit(ctx context.Context, positions []int64) error
	// Committed reads them: -1 where there is none.
	Committed(ctx context.Context) ([]int64, error)
}
