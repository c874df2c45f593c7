package topics

import "rosenblatt/stream/recordbatch"

// Batch is what is written to one partition at once.
type Batch struct {
	Topic     Topic
	Partition int32
	Records   *recordbatch.Builder
	End       int64 // the partition's end after what was acknowledged of the batch
}
