package stream

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

func testScheduler(t *testing.T) *scheduler {
	t.Helper()
	d, err := event.New(event.Defaults(event.JSON))
	if err != nil {
		t.Fatal(err)
	}
	return newScheduler(chunkRecords, decoders{events: d}, 0, 0)
}

// read puts chunks of one partition, each of one offset.
func (s *scheduler) read(t *testing.T, partition int32, chunks int) {
	continued := false
	for n := range chunks {
		more := n+1 < chunks && rand.N(3) > 0
		alone := !continued && !more
		c := s.take(t.Context(), alone, nil)
		c.Reset(partition, int64(n))
		for range rand.N(2 * smallChunk) {
			c.Records = append(c.Records,
				topics.Record{Offset: int64(n), Value: []byte(`{"id":"e","label":1,"x":2}`)})
		}
		c.More = more
		s.put(c, alone)
		continued = more
	}
}

// TestChunksInOrder: whatever others read meanwhile, the chunks of a partition are learned in order, decoded;
// afterwards all chunks are free.
func TestChunksInOrder(t *testing.T) {
	t.Parallel()
	const partitions, chunks = 20, 200
	s := testScheduler(t)
	var readers, decoding sync.WaitGroup
	for p := range int32(partitions) {
		readers.Go(func() { s.read(t, p, chunks) })
	}
	for range 2 {
		d, err := event.New(event.Defaults(event.JSON))
		if err != nil {
			t.Fatal(err)
		}
		decoding.Go(func() { s.decode(decoders{events: d}) })
	}
	next := make([]int64, partitions)
	for range partitions * chunks {
		c := <-s.queue
		s.await(c)
		if c.Next != next[c.Partition] {
			t.Fatalf("partition %d: chunk %d, want %d", c.Partition, c.Next, next[c.Partition])
		}
		if len(c.Examples) != len(c.Records) {
			t.Fatalf("%d examples of %d records", len(c.Examples), len(c.Records))
		}
		next[c.Partition]++
		s.release(c)
	}
	readers.Wait()
	s.close()
	decoding.Wait()
	if len(s.free) != cap(s.free) || len(s.current) != cap(s.current) {
		t.Errorf("%d and %d of %d chunks are free", len(s.free), len(s.current), freeChunks)
	}
}

// TestReadersEnd: a reader without a chunk does not outlast the context.
func TestReadersEnd(t *testing.T) {
	t.Parallel()
	s := testScheduler(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	for len(s.free) > 0 {
		<-s.free
	}
	if s.take(t.Context(), true, nil) == nil {
		t.Error("no chunk for a partition without a backlog, while those with one have all others")
	}
	for range turns {
		s.turn(t.Context(), false, false, true)
	}
	if s.take(ctx, false, nil) != nil || s.turn(ctx, false, false, true) {
		t.Error("a chunk or a turn where none is free")
	}
}

// silentLog has partitions with a backlog of one record at a time. From the second Read on a silent one returns
// nothing, each time that tick lets it, as when its broker does not respond.
type silentLog struct {
	topics.Log
	silent int32 // so many, the first ones
	tick   chan struct{}
}

// Open implements topics.Opener.
func (l *silentLog) Open(_ topics.Topic, partition int32, _ int64) topics.Reader {
	return &silentReader{l, partition < l.silent}
}

type silentReader struct {
	log    *silentLog
	silent bool
}

// Read implements topics.Reader.
func (r *silentReader) Read(ctx context.Context, run *topics.Run, _ int) error {
	from := run.Next
	run.Behind = true
	if r.silent && from > 0 {
		select {
		case <-r.log.tick:
		case <-ctx.Done():
		}
		return ctx.Err()
	}
	run.Records, run.Next = append(run.Records, topics.Record{Offset: from, Value: []byte("{}")}), from+1
	return ctx.Err()
}

// TestSilentPartitions: partitions that have a backlog, and of which nothing comes, keep no turns from others.
func TestSilentPartitions(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	log := &silentLog{silent: turns, tick: make(chan struct{})}
	s := &session{t: (&Task{Log: log}).Open(), chunks: testScheduler(t)}
	defer cancel()
	var readers sync.WaitGroup
	for p := range log.silent + 1 {
		reader := log.Open(topics.Input, p, 0)
		readers.Go(func() { _ = s.fetch(ctx, topics.Input, p, 0, reader) }) // it ends with the context
	}
	readers.Go(func() { // as many silent Reads as there are turns
		for range turns {
			select {
			case log.tick <- struct{}{}:
			case <-ctx.Done():
			}
		}
	})
	var decoders sync.WaitGroup
	decoders.Go(func() { s.chunks.decode(s.chunks.decoder) }) // no chunk is small
	got := 0
	for got < 10*turns && ctx.Err() == nil {
		select {
		case c := <-s.chunks.queue:
			if s.chunks.await(c); c.Partition == log.silent {
				got++
			}
			s.chunks.release(c)
		case <-ctx.Done():
			t.Errorf("%d records of the partition that has some", got)
		}
	}
	cancel()
	readers.Wait()
	s.chunks.close()
	decoders.Wait()
}
