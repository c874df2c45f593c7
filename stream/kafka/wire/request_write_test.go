package wire

import (
	"bytes"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestSplitRequest compares requests that are sent in parts with whole ones, in all versions that are sent.
func TestSplitRequest(t *testing.T) {
	f := kmsg.NewRequestFormatter(kmsg.FormatterClientID("tester"))
	sizes := []int{0, 61, 126, 127, 128, 16_382, 16_383, 16_384, largeBatch - 1, largeBatch, 900_000}
	var cases [][]int
	for _, size := range sizes {
		cases = append(cases, []int{size}, []int{size, 61}, []int{61, size, size, 900_000, 127})
	}
	for version := int16(3); version <= kmsg.NewPtrProduceRequest().MaxVersion(); version++ {
		for _, sizes := range append(cases, nil) {
			req := kmsg.NewPtrProduceRequest()
			req.Acks, req.TimeoutMillis, req.Version = -1, 8000, version
			topic := kmsg.NewProduceRequestTopic()
			topic.Topic, topic.TopicID = "topic", [16]byte{1, 2, 3}
			for i, size := range sizes {
				partition := kmsg.NewProduceRequestTopicPartition()
				partition.Partition, partition.Records = int32(300-i), bytes.Repeat([]byte{0x5a}, size)
				topic.Partitions = append(topic.Partitions, partition)
			}
			req.Topics = append(req.Topics, topic)
			_, parts := splitRequest([]byte("of before")[:0], f, req, 42)
			if got, want := bytes.Join(parts, nil), f.AppendRequest(nil, req, 42); !bytes.Equal(got, want) {
				t.Fatalf("version %d, batches of %d bytes: %d bytes, want %d", version, sizes, len(got), len(want))
			}
		}
	}
}
