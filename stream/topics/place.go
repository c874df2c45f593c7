package topics

import "fmt"

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
