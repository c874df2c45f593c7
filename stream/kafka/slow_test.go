package kafka

import (
	"context"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// A throttle dials through a link of so many bytes a second, in all and in each direction, that takes any number of
// bytes at once, as the buffers of kernels and proxies do.
type throttle struct {
	up, down *rate.Limiter
	dials    atomic.Int64
}

func newThrottle(bytesPerSecond int) *throttle {
	limiter := func() *rate.Limiter { return rate.NewLimiter(rate.Limit(bytesPerSecond), 4<<10) }
	return &throttle{up: limiter(), down: limiter()}
}

func (x *throttle) dial(ctx context.Context, network, address string) (net.Conn, error) {
	x.dials.Add(1)
	broker, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer l.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return nil, err
	}
	far, err := l.Accept()
	if err != nil {
		return nil, err
	}
	go pump(far, broker, x.down)
	go pump(broker, far, x.up)
	return client, nil
}

// pump copies at a rate until one side ends, and then ends the other.
func pump(to, from net.Conn, at *rate.Limiter) {
	defer to.Close()
	defer from.Close()
	b := make([]byte, 2<<10)
	for {
		n, err := from.Read(b)
		if err != nil || at.WaitN(context.Background(), n) != nil {
			return
		}
		if _, err := to.Write(b[:n]); err != nil {
			return
		}
	}
}

// A backlog that takes much longer than the time limit of a request arrives whole, at about the link's rate.
func TestBacklogOverASlowLink(t *testing.T) {
	b := newBed(t, 1)
	want := numbered(strings.Repeat("x", 990), 3000)
	for i := 0; i < len(want); i += 100 {
		b.put(b.name+"-in", 0, recordbatch.None, want[i:i+100]...)
	}
	c := b.client(func(o *Options) { o.Dial, o.ResponseTimeout = newThrottle(1<<20).dial, 300*time.Millisecond })
	began, late := time.Now(), timeout(t, 9*time.Second)
	values, _ := read(t, c.Open(topics.Input, 0, 0), int64(len(want)))
	if !slices.Equal(values, want) {
		t.Fatalf("%d records, want %d", len(values), len(want))
	}
	if late.Err() != nil {
		t.Errorf("3 MB at 1 MB/s took %v", time.Since(began))
	}
}

// A batch that takes much longer than the time limit of a request is acknowledged, and is there once.
func TestLargeBatchOverASlowLink(t *testing.T) {
	b := newBed(t, 1)
	j := b.client(func(o *Options) {
		o.Dial, o.ResponseTimeout = newThrottle(200<<10).dial, 300*time.Millisecond
	}).Journal()
	takeover(t, j, topics.NoProducer)
	want := numbered(strings.Repeat("x", 990), 400)
	for range 2 {
		end := appendAll(t, j, topics.Output, 0, want...)
		if got := b.output(end); !slices.Equal(got[len(got)-len(want):], want) {
			t.Fatalf("%d records, want %d", len(got), len(want))
		}
	}
}
