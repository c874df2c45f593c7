package stream

import (
	"fmt"

	"rosenblatt/stream/topics"
)

// place is where a record is that the task reads.
type place struct {
	topic     topics.Topic // Input or Labels
	partition int32
	offset    int64
}

// String says where a record is.
func (at place) String() string {
	if at.topic == topics.Labels {
		return fmt.Sprintf("labels partition %d offset %d", at.partition, at.offset)
	}
	return fmt.Sprintf("input partition %d offset %d", at.partition, at.offset)
}
