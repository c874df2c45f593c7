package kafka

import (
	"bytes"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestApart compares requests that are sent in parts with whole ones, in all versions that are sent.
func TestApart(t *testing.T) {
	f := kmsg.NewRequestFormatter(kmsg.FormatterClientID("tester"))
	for version := int16(3); version <= kmsg.NewPtrProduceRequest().MaxVersion(); version++ {
		for _, size := range []int{61, 126, 127, 128, 16_382, 16_383, 16_384, 900_000} {
			req := produceRequest("topic", 7, bytes.Repeat([]byte{0x5a}, size), 8000)
			req.SetVersion(version)
			req.Topics[0].TopicID = [16]byte{1, 2, 3}
			parts := splitRequest(f, req, 42)
			if got, want := bytes.Join(parts, nil), f.AppendRequest(nil, req, 42); !bytes.Equal(got, want) {
				t.Fatalf("version %d, a batch of %d bytes: %d bytes, want %d", version, size, len(got), len(want))
			}
		}
	}
}
