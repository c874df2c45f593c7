package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// countFetches makes a tap that counts the fetches.
func countFetches() (*tap, *atomic.Int64) {
	var n atomic.Int64
	return &tap{onWrite: func(_ *tapped, p []byte) error {
		if isRequest(p, kmsg.Fetch) {
			n.Add(1)
		}
		return nil
	}}, &n
}

// readAll reads partitions side by side, each to its end.
func readAll(t *testing.T, c *Client, ends []int64) (values [][]string) {
	t.Helper()
	values = make([][]string, len(ends))
	var all sync.WaitGroup
	for p, end := range ends {
		all.Go(func() {
			r := c.Open(topics.Input, int32(p), 0)
			var err error
			if values[p], _, err = readErr(timeout(t, 60*time.Second), r, end); err != nil {
				t.Errorf("partition %d: %v", p, err)
			}
		})
	}
	all.Wait()
	return values
}

// Partitions without records share one request, whose broker waits.
func TestIdlePartitionsShareRequests(t *testing.T) {
	t.Parallel()
	const partitions = 50
	b := newBed(t, partitions)
	x, fetches := countFetches()
	c := b.client(func(o *Options) { o.Dial = x.dial })
	if _, err := c.Topology(timeout(t, 10*time.Second)); err != nil {
		t.Fatal(err)
	}
	readers := make([]topics.Reader, partitions)
	for p := range readers {
		readers[p] = c.Open(topics.Input, int32(p), 0)
	}
	began := time.Now()
	for fetches.Store(0); time.Since(began) < 2*time.Second; {
		var all sync.WaitGroup
		for _, r := range readers {
			all.Go(func() {
				var run topics.Run
				if err := r.Read(timeout(t, 10*time.Second), &run, 10); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	// Five a second, and some while the partitions come together in one request.
	if n := fetches.Load(); n > 50 {
		t.Errorf("%d fetches in two seconds without records", n)
	}
	for p, r := range readers {
		b.put(b.name+"-in", int32(p), recordbatch.None, "x")
		if values, _ := read(t, r, 1); len(values) != 1 {
			t.Fatalf("partition %d: %q", p, values)
		}
	}
}

// A partition with a backlog does not wait for records of others.
func TestBacklogBesideIdlePartitions(t *testing.T) {
	t.Parallel()
	b := newBed(t, 3)
	v := numbered(strings.Repeat("x", 990), 100)
	const batches = 100
	for range batches {
		b.put(b.name+"-in", 0, recordbatch.None, v...)
	}
	// Each response has few batches: there are tens of them, and each wait for others would take two seconds.
	c := b.client(func(o *Options) { o.fetchBytes, o.fetchWait = 200<<10, 2*time.Second })
	ctx, stop := context.WithCancel(t.Context())
	var rest sync.WaitGroup
	for p := int32(1); p < 3; p++ {
		rest.Go(func() {
			if _, _, err := readErr(ctx, c.Open(topics.Input, p, 0), 1); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	r := c.Open(topics.Input, 0, 0)
	read(t, r, 100) // from now on all three are read
	began, late := time.Now(), timeout(t, 20*time.Second)
	var run topics.Run
	for run.Next < batches*int64(len(v)) {
		if err := r.Read(ctx, &run, 1000); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond) // slower than the fetches
	}
	if late.Err() != nil {
		t.Errorf("a backlog of %d batches took %v", batches, time.Since(began))
	}
	stop()
	rest.Wait()
}

// A batch over what a partition may have in a response comes only as the first one: each partition is first in turn,
// also beside one with a backlog of such batches.
func TestLargeBatchesTakeTurns(t *testing.T) {
	t.Parallel()
	const partitions, backlog = 6, 200
	b := newBed(t, partitions)
	v := numbered(strings.Repeat("x", 300), 100)
	for range backlog {
		b.put(b.name+"-in", 0, recordbatch.None, v...)
	}
	for p := range int32(partitions) {
		b.put(b.name+"-in", p, recordbatch.None, v...)
	}
	c := b.client(func(o *Options) { o.fetchBytes = 10 << 10 })
	var all sync.WaitGroup
	var first atomic.Int64 // position of the first partition
	r := c.Open(topics.Input, 0, 0)
	all.Go(func() {
		for first.Load() < backlog*100 {
			first.Store(readSome(t, r))
			time.Sleep(time.Millisecond) // slower than the others begin, on a busy machine too
		}
	})
	for p := range int32(partitions - 1) {
		all.Go(func() {
			began := first.Load() // a busy machine may start it late
			if values, _ := read(t, c.Open(topics.Input, p+1, 0), 100); !slices.Equal(values, v) {
				t.Errorf("partition %d: %d records", p+1, len(values))
			}
			if at := first.Load() - began; at > backlog*100/2 {
				t.Errorf("partition %d waited while %d of %d batches of another one were read", p+1, at/100, backlog)
			}
		})
	}
	all.Wait()
}

// All batches of a wide topic are over what a partition may have in a response, of which only the first batch comes all
// the same. After a few requests more is requested of each, so that a response has several.
func TestEachBatchOverThePartitionLimit(t *testing.T) {
	t.Parallel()
	const partitions, batches = 80, 2
	if real() && testing.Short() {
		t.Skip("takes seconds on real Kafka, and kfake has the same limits")
	}
	b := newBed(t, partitions)
	v := strings.Repeat("x", 300<<10)
	for range batches {
		for p := range int32(partitions) {
			b.put(b.name+"-in", p, recordbatch.None, v)
		}
	}
	for _, inTurns := range []bool{false, true} {
		x, fetches := countFetches()
		c := b.client(func(o *Options) { o.Dial, o.fetchBytes = x.dial, 0 })
		if _, err := c.Topology(timeout(t, 10*time.Second)); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for p := range int32(partitions) {
			all.Go(func() {
				r := c.Open(topics.Input, p, 0).(*reader)
				if inTurns {
					r.InTurns()
				}
				values, _, err := readErr(timeout(t, 60*time.Second), r, batches)
				if err != nil || len(values) != batches {
					t.Errorf("partition %d: %d records, %v", p, len(values), err)
				}
			})
		}
		all.Wait()
		// A slow machine has more that bring nothing; where each brings one batch there are as many as batches.
		if n := fetches.Load(); n >= partitions*batches {
			t.Errorf("in turns %v: %d fetches of %d batches", inTurns, n, partitions*batches)
		}
	}
}

// readSome reads once and returns the position.
func readSome(t *testing.T, r topics.Reader) int64 {
	t.Helper()
	var run topics.Run
	if err := r.Read(timeout(t, 10*time.Second), &run, 1000); err != nil {
		t.Error(err)
	}
	return run.Next
}

// What is wrong with one partition stops its reader alone.
func TestErrorsOfOnePartition(t *testing.T) {
	t.Parallel()
	const partitions = 5
	b := newBed(t, 0)
	b.create(b.name+"-in", partitions, "max.message.bytes", "10000000")
	b.create(b.name+"-out", 1)
	b.create(b.name+"-dlq", 1)
	for p := range int32(partitions) {
		b.put(b.name+"-in", p, recordbatch.None, numbered("first", 10)...)
	}
	b.cut(b.name+"-in", 1, 5)                                            // the position is gone
	b.put(b.name+"-in", 2, recordbatch.None, strings.Repeat("x", 3<<20)) // a batch that is too large
	for p := range int32(partitions) {
		b.put(b.name+"-in", p, recordbatch.None, numbered("second", 10)...)
	}
	c := b.client(func(o *Options) { o.MaxBatchBytes = 1 << 20 })
	var all sync.WaitGroup
	all.Go(func() { stopOf(t, c.Open(topics.Input, 1, 0), stops.InputGone) })
	all.Go(func() { stopOf(t, c.Open(topics.Input, 2, 0), stops.BadBatch, "10 to 10") })
	for _, p := range []int32{0, 3, 4} {
		all.Go(func() {
			values, _ := read(t, c.Open(topics.Input, p, 0), 20)
			if !slices.Equal(values, append(numbered("first", 10), numbered("second", 10)...)) {
				t.Errorf("partition %d: %q", p, values)
			}
		})
	}
	all.Wait()
}

// Leaders that move take their partitions along, others stay.
func TestLeadersOfSomeMove(t *testing.T) {
	t.Parallel()
	const partitions = 8
	b := fakeBed(t, partitions, kfake.NumBrokers(3))
	c := b.client(nil)
	readers := make([]topics.Reader, partitions)
	for p := range readers {
		readers[p] = c.Open(topics.Input, int32(p), 0)
	}
	for n := range int64(6) {
		for p := range int32(partitions) {
			if p%2 == 0 {
				if err := b.fake.MoveTopicPartition(b.name+"-in", p, int32(n+int64(p))%3); err != nil {
					t.Fatal(err)
				}
			}
			b.put(b.name+"-in", p, recordbatch.None, fmt.Sprint("v", n))
		}
		var all sync.WaitGroup
		for _, r := range readers {
			all.Go(func() {
				if values, _ := read(t, r, n+1); !slices.Equal(values, []string{fmt.Sprint("v", n)}) {
					t.Errorf("read %q", values)
				}
			})
		}
		all.Wait()
	}
}

// A broker that is away is one outage, not one for each partition.
func TestOutageOfABrokerIsOne(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 4)
	var away atomic.Bool
	c := b.client(func(o *Options) {
		o.Dial = (&tap{onWrite: func(_ *tapped, p []byte) error {
			if away.Load() && isRequest(p, kmsg.Fetch) {
				return kerr.NetworkException
			}
			return nil
		}}).dial
	})
	ends := []int64{1, 1, 1, 1}
	for p := range int32(4) {
		b.put(b.name+"-in", p, recordbatch.None, "x")
	}
	away.Store(true)
	go func() {
		text := ""
		for ; text == ""; text, _ = c.Outage() {
			time.Sleep(time.Millisecond)
		}
		if !strings.HasPrefix(text, "fetch from broker ") {
			t.Errorf("%q is an outage of its own", text)
		}
		away.Store(false)
	}()
	readAll(t, c, ends)
	if text, _ := c.Outage(); text != "" {
		t.Error(text)
	}
}
