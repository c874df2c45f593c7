package wire

import (
	"bytes"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestSplitRequest compares requests that are sent in parts with whole ones, in all versions that are sent.
func TestSplitRequest(t *testing.T) {
	f := kmsg.NewRequestFormatter(kmsg.FormatterClientID("tester"))
	sizes := []int{0, 61, 126, 127, 128, 16_382, largeBatch - 1, largeBatch, 900_000}
	cases := [][][]int{nil, {{}}, {{61}, {}}} // of each topic
	for _, size := range sizes {
		all := []int{61, size, size, 900_000, 127}
		cases = append(cases, [][]int{{size}}, [][]int{{size, 61}}, [][]int{all}, [][]int{{size}, all, {61, size}})
	}
	cases = append(cases, [][]int{make([]int, 127), make([]int, 128), {900_000}})
	for version := int16(3); version <= kmsg.NewPtrProduceRequest().MaxVersion(); version++ {
		for _, sizes := range cases {
			req := kmsg.NewPtrProduceRequest()
			req.Acks, req.TimeoutMillis, req.Version = -1, 8000, version
			for i, sizes := range sizes {
				req.Topics = append(req.Topics, topicOf(i, sizes))
			}
			want := f.AppendRequest(nil, req, 42)
			_, parts := splitRequest([]byte("of before")[:0], f, req, 42)
			for _, part := range parts {
				if len(part) == 0 {
					t.Errorf("version %d, batches of %d bytes: an empty part", version, sizes)
				}
			}
			if got := bytes.Join(parts, nil); !bytes.Equal(got, want) {
				t.Fatalf("version %d, batches of %d bytes: %d bytes, want %d", version, sizes, len(got), len(want))
			}
			if after := f.AppendRequest(nil, req, 42); !bytes.Equal(after, want) {
				t.Fatalf("version %d, batches of %d bytes: the request was changed", version, sizes)
			}
		}
	}
}

// topicOf is a topic with batches of so many bytes. The names' lengths take one and two bytes.
func topicOf(i int, sizes []int) kmsg.ProduceRequestTopic {
	topic := kmsg.NewProduceRequestTopic()
	topic.Topic, topic.TopicID = fmt.Sprint("topic", strings.Repeat("x", 100*i)), [16]byte{1, 2, byte(i)}
	for j, size := range sizes {
		partition := kmsg.NewProduceRequestTopicPartition()
		partition.Partition, partition.Records = int32(300-j), bytes.Repeat([]byte{byte(j + 1)}, size)
		topic.Partitions = append(topic.Partitions, partition)
	}
	return topic
}

// TestRequestIsOneWrite counts the writes of a request with large batches: a broker reads each segment by itself.
func TestRequestIsOneWrite(t *testing.T) {
	req := kmsg.NewPtrProduceRequest()
	req.Version = 9
	req.Topics = []kmsg.ProduceRequestTopic{topicOf(0, []int{largeBatch, 61, 900_000}), topicOf(1, []int{largeBatch})}
	w := &countingWriter{}
	if err := write(w, "tester", req, 42); err != nil || w.writes != 1 {
		t.Fatalf("%d writes, %v", w.writes, err)
	}
	if want := kmsg.NewRequestFormatter(kmsg.FormatterClientID("tester")).AppendRequest(nil, req, 42); !bytes.Equal(
		w.Bytes(), want) {
		t.Fatalf("%d bytes, want %d", w.Len(), len(want))
	}
}

type countingWriter struct {
	bytes.Buffer
	writes int
}

func (w *countingWriter) Write(p []byte) (int, error) {
	w.writes++
	return w.Buffer.Write(p)
}

func (w *countingWriter) WriteBuffers(parts net.Buffers) error {
	w.writes++
	_, err := parts.WriteTo(&w.Buffer)
	return err
}
