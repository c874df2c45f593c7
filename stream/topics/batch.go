package topics

import "rosenblatt/stream/recordbatch"

// Batch is what is written to one partition at once.
type Batch struct {
	Topic     Topic
	Partition int32
	Records   *recordbatch.Builder
	// Short, if not nil, makes a record smaller that is refused alone.
	Short func(*Record)
	End   int64 // the partition's end after what was acknowledged of the batch
}
