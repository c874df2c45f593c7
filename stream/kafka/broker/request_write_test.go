package broker

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestSplitRequest compares requests that are sent in parts with whole ones, in all versions that are sent so.
func TestSplitRequest(t *testing.T) {
	f := kmsg.NewRequestFormatter(kmsg.FormatterClientID("tester"))
	sizes := []int{0, 61, 126, 127, 128, 16_382, copiedBelow - 1, copiedBelow, 900_000}
	cases := [][][]int{nil, {{}}, {{61}, {}}} // of each topic
	for _, size := range sizes {
		all := []int{61, size, size, 900_000, 127}
		cases = append(cases, [][]int{{size}}, [][]int{{size, 61}}, [][]int{all}, [][]int{{size}, all, {61, size}})
	}
	cases = append(cases, [][]int{make([]int, 127), make([]int, 128), {900_000}})
	for version := int16(3); version < 9; version++ {
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

// TestRequestIsOneWrite counts the writes of a request with large batches: a broker reads each segment by itself, and
// TLS makes a record of each write.
func TestRequestIsOneWrite(t *testing.T) {
	req := kmsg.NewPtrProduceRequest()
	req.Version = 8
	sizes := []int{copiedBelow, 61, 900_000}
	req.Topics = []kmsg.ProduceRequestTopic{topicOf(0, sizes), topicOf(1, sizes)}
	want := kmsg.NewRequestFormatter(kmsg.FormatterClientID("tester")).AppendRequest(nil, req, 42)
	plain, encrypted := &countingConn{}, &countingConn{}
	for name, c := range map[string]struct {
		net.Conn
		*countingConn
	}{
		"plain":     {vectoredConn{plain}, plain},
		"encrypted": {encrypted, encrypted},
	} {
		if err := write(&Conn{Conn: c.Conn}, "tester", req, 42); err != nil || c.writes != 1 {
			t.Errorf("%s: %d writes, %v", name, c.writes, err)
		}
		if !bytes.Equal(c.written, want) {
			t.Errorf("%s: %d bytes, want %d", name, len(c.written), len(want))
		}
	}
}

// countingConn counts writes.
type countingConn struct {
	net.Conn
	written []byte
	writes  int
}

func (c *countingConn) Write(p []byte) (int, error) {
	c.writes++
	c.written = append(c.written, p...)
	return len(p), nil
}

// vectoredConn is one that can write several slices as one.
type vectoredConn struct{ *countingConn }

func (c vectoredConn) WriteBuffers(parts net.Buffers) error {
	_, err := c.Write(bytes.Join(parts, nil))
	return err
}

// TestRequestOverASlowLink: a request that takes many times the idle time arrives whole while some of it passes, and
// ends when nothing does.
func TestRequestOverASlowLink(t *testing.T) {
	req := kmsg.NewPtrProduceRequest()
	req.Version = 8
	req.Topics = []kmsg.ProduceRequestTopic{topicOf(0, []int{20_000, 61, 20_000}), topicOf(1, []int{20_000, 20_000})}
	want := kmsg.NewRequestFormatter(kmsg.FormatterClientID("tester")).AppendRequest(nil, req, 42)
	const idle, piece = 200 * time.Millisecond, 1000
	for _, all := range []int{len(want), len(want) / 2} {
		synctest.Test(t, func(t *testing.T) {
			near, far := net.Pipe()
			defer func() { _ = near.Close() }()
			received := make(chan []byte)
			go func() {
				var b []byte
				for len(b) < all {
					time.Sleep(idle * 2 / 3)
					buf := make([]byte, min(piece, all-len(b)))
					n, err := far.Read(buf)
					if err != nil {
						break
					}
					b = append(b, buf[:n]...)
				}
				received <- b
			}()
			m := &movingConn{Conn: near}
			end, err := m.begin(t.Context(), idle)
			if err != nil {
				t.Fatal(err)
			}
			defer end()
			err = write(&Conn{Conn: m, moving: m}, "tester", req, 42)
			if b := <-received; !bytes.Equal(b, want[:all]) {
				t.Errorf("%d bytes arrived, want %d", len(b), all)
			}
			if whole := all == len(want); whole != (err == nil) || !whole && !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("%d of %d bytes passed: %v", all, len(want), err)
			}
		})
	}
}

// TestDeadlineMovesWithWrites: after a long write a response has the whole idle time.
func TestDeadlineMovesWithWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const idle = time.Second
		near, far := net.Pipe()
		defer func() { _ = near.Close() }()
		go func() {
			time.Sleep(idle * 9 / 10)
			_, _ = far.Read(make([]byte, 1))
			time.Sleep(idle * 9 / 10)
			_, _ = far.Write([]byte{1})
		}()
		m := &movingConn{Conn: near}
		end, err := m.begin(t.Context(), idle)
		if err != nil {
			t.Fatal(err)
		}
		defer end()
		if err := m.WriteBuffers(net.Buffers{{1}}); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Read(make([]byte, 1)); err != nil {
			t.Errorf("a response that came %v after the request: %v", idle*9/10, err)
		}
	})
}
