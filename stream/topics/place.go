package topics

import "fmt"

// PartitionOf is a partition of one of a task's topics.
type PartitionOf struct {
	Topic     Topic
	Partition int32
}

// Place is where a record is that the task reads.
type Place struct {
	Topic     Topic // Input or Labels
	Partition int32
	Offset    int64
}

// String says where a record is.
func (at Place) String() string {
	if at.Topic == Labels {
		return fmt.Sprintf("labels partition %d offset %d", at.Partition, at.Offset)
	}
	return fmt.Sprintf("input partition %d offset %d", at.Partition, at.Offset)
}
