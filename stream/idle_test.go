package stream_test

import (
	"context"
	"encoding/binary"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

// requests counts the requests of a client by their kind.
type requests struct {
	mu sync.Mutex
	n  map[kmsg.Key]int
}

type counted struct {
	net.Conn
	of *requests
}

func (r *requests) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	return &counted{c, r}, err
}

func (c *counted) Write(p []byte) (int, error) {
	if len(p) > 8 {
		c.of.mu.Lock()
		c.of.n[kmsg.Key(binary.BigEndian.Uint16(p[4:]))]++
		c.of.mu.Unlock()
	}
	return c.Conn.Write(p)
}

func (r *requests) of(k kmsg.Key) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n[k]
}

// TestIdleRequests: a task without events sends at each look at the topics one Metadata request and one ListOffsets to
// each broker, whatever the number of partitions.
func TestIdleRequests(t *testing.T) {
	const looks = 20
	s := streamtest.New(t, streamtest.Start(t, kfake.NumBrokers(2)), 16)
	brokers := len(s.Cluster.Brokers)
	count := &requests{n: map[kmsg.Key]int{}}
	s.Kafka.Dial, s.Config.UntilEnd, s.Config.WatchEvery = count.dial, false, 50*time.Millisecond
	task := s.Task(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- task.Run(ctx) }()
	streamtest.Await(t, "live", func() bool { return task.Status().State == board.Live })
	configs := count.of(kmsg.DescribeConfigs)
	streamtest.Await(t, "the first look", func() bool { return count.of(kmsg.DescribeConfigs) > configs })
	begun := count.of(kmsg.Metadata) + 3 // what follows the start ends meanwhile
	streamtest.Await(t, "looks behind the start", func() bool { return count.of(kmsg.Metadata) >= begun })
	count.mu.Lock()
	clear(count.n)
	count.mu.Unlock()
	streamtest.Await(t, "looks", func() bool { return count.of(kmsg.Metadata) >= looks })
	configs, ends := count.of(kmsg.DescribeConfigs), count.of(kmsg.ListOffsets)
	if most := brokers * (count.of(kmsg.Metadata) + 1); ends > most || configs > 0 { // counted later: there may be more
		t.Errorf("%d requests for the ends, want at most %d, and %d for settings", ends, most, configs)
	}
	if n := count.of(kmsg.ListOffsets); n < brokers*(looks-2) {
		t.Errorf("%d requests for the ends in %d looks at %d brokers", n, looks, brokers)
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
