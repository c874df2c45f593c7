package topics

import "rosenblatt/stream/recordbatch"

// MaxOwnBatch is the size in bytes of the largest batch that a task writes, before compression. No larger one is read
// of its output or dead letters.
const MaxOwnBatch = 64 << 20

// Batch is what is written to one partition at once.
type Batch struct {
	Topic     Topic
	Partition int32
	Records   *recordbatch.Builder
	// Short, if not nil, makes a record smaller that is refused alone.
	Short func(*Record)
	End   int64 // the partition's end after what was acknowledged of the batch
}
