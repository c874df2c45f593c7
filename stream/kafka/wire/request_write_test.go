package wire

import (
	"bytes"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestSplitRequest compares requests that are sent in parts with whole ones, in all versions that are sent.
func TestSplitRequest(t *testing.T) {
	f := kmsg.NewRequestFormatter(kmsg.FormatterClientID("tester"))
	for version := int16(3); version <= kmsg.NewPtrProduceRequest().MaxVersion(); version++ {
		for _, size := range []int{61, 126, 127, 128, 16_382, 16_383, 16_384, 900_000} {
			req := kmsg.NewPtrProduceRequest()
			req.Acks, req.TimeoutMillis, req.Version = -1, 8000, version
			topic, partition := kmsg.NewProduceRequestTopic(), kmsg.NewProduceRequestTopicPartition()
			topic.Topic, topic.TopicID = "topic", [16]byte{1, 2, 3}
			partition.Partition, partition.Records = 7, bytes.Repeat([]byte{0x5a}, size)
			topic.Partitions = append(topic.Partitions, partition)
			req.Topics = append(req.Topics, topic)
			parts := splitRequest(f, req, 42)
			if got, want := bytes.Join(parts, nil), f.AppendRequest(nil, req, 42); !bytes.Equal(got, want) {
				t.Fatalf("version %d, a batch of %d bytes: %d bytes, want %d", version, size, len(got), len(want))
			}
		}
	}
}
