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
	return newScheduler(chunkRecords, d)
}

// read puts chunks of one partition, each of one offset.
func (s *scheduler) read(t *testing.T, partition int32, chunks int) {
	continued := false
	for n := range chunks {
		more := n+1 < chunks && rand.N(3) > 0
		alone := !continued && !more
		c := s.take(t.Context(), alone)
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
	const partitions, chunks = 20, 200
	s := testScheduler(t)
	var readers, decoders sync.WaitGroup
	for p := range int32(partitions) {
		readers.Go(func() { s.read(t, p, chunks) })
	}
	for range 2 {
		d, err := event.New(event.Defaults(event.JSON))
		if err != nil {
			t.Fatal(err)
		}
		decoders.Go(func() { s.decode(d) })
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
	decoders.Wait()
	if len(s.free) != cap(s.free) || len(s.current) != cap(s.current) {
		t.Errorf("%d and %d of %d chunks are free", len(s.free), len(s.current), freeChunks)
	}
}

// TestReadersEnd: a reader without a chunk does not outlast the context.
func TestReadersEnd(t *testing.T) {
	s := testScheduler(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	for len(s.free) > 0 {
		<-s.free
	}
	if s.take(t.Context(), true) == nil {
		t.Error("no chunk for a partition without a backlog, while those with one have all others")
	}
	for range turns {
		s.turn(t.Context(), false, false, true)
	}
	if s.take(ctx, false) != nil || s.turn(ctx, false, false, true) {
		t.Error("a chunk or a turn where none is free")
	}
}
