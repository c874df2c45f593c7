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

func testScheduler(t *testing.T, partitions int) *scheduler {
	t.Helper()
	d, err := event.New(event.Defaults(event.JSON))
	if err != nil {
		t.Fatal(err)
	}
	return newScheduler(partitions, chunkRecords, d)
}

// read puts chunks of one partition, each of one offset.
func (s *scheduler) read(t *testing.T, partition int32, chunks int) {
	continued := false
	for n := range chunks {
		c := s.take(t.Context())
		c.Reset(partition, int64(n))
		c.More = n+1 < chunks && rand.N(3) > 0
		for range rand.N(2 * smallChunk) {
			c.Records = append(c.Records,
				topics.Record{Offset: int64(n), Value: []byte(`{"id":"e","label":1,"x":2}`)})
		}
		more := c.More
		s.put(c, !continued && !more)
		continued = more
	}
}

// TestChunksInOrder: whatever others read meanwhile, the chunks of a partition are learned in order, decoded;
// afterwards all chunks are free.
func TestChunksInOrder(t *testing.T) {
	const partitions, chunks = 20, 200
	s := testScheduler(t, partitions)
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
	if len(s.free) != cap(s.free) {
		t.Errorf("%d of %d chunks are free", len(s.free), cap(s.free))
	}
}

// TestReadersEnd: a reader without a chunk does not outlast the context.
func TestReadersEnd(t *testing.T) {
	s := testScheduler(t, 1)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	for len(s.free) > 0 {
		<-s.free
	}
	if s.take(ctx) != nil {
		t.Error("a chunk where none is free")
	}
}

// TestChunksShareMemory: many partitions do not multiply the memory of chunks.
func TestChunksShareMemory(t *testing.T) {
	for _, partitions := range []int{1, 10, 58, 59, 300, 1000, 5000} {
		s := testScheduler(t, partitions)
		most := max(4*minChunks*chunkRecords, 32*cap(s.free)) // records in all
		if cap(s.free) < partitions+6 || s.records < 1 || cap(s.free)*s.records > most {
			t.Errorf("%d partitions: %d chunks of %d records", partitions, cap(s.free), s.records)
		}
	}
}
