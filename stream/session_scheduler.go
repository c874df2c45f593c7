package stream

import (
	"context"

	"rosenblatt/stream/event"
)

// scheduler passes chunks from the readers to the decoders and the learner, and back. Chunks are learned in the order
// of put. They are few and small, so each partition gets its turn soon, however much others have.
type scheduler struct {
	records int            // at most in a chunk
	decoder *event.Decoder // the learner's own, for small chunks

	free  chan *chunk
	queue chan *chunk
	work  chan *chunk // those of queue that a decoder decodes, in the same order
}

// minChunks is how many chunks a session has at least: some are read and decoded while others are learned.
const minChunks = 16

// chunkRecords is the greatest number of records in a chunk. With 500 bytes and 30 features each, it and its features
// take half of a cache of 512 KiB.
const chunkRecords = 256

// smallChunk is how many records the learner decodes itself, faster than another goroutine wakes.
const smallChunk = 16

// newScheduler makes a scheduler and its chunks, of at most so many records.
func newScheduler(partitions, records int, decoder *event.Decoder) *scheduler {
	//mutation:few-chunks
	chunks, records := max(minChunks, partitions+6), min(records, chunkRecords)
	if chunks > 4*minChunks { // many partitions share the memory of a few
		records = max(min(records, 32), records*4*minChunks/chunks)
	}
	s := &scheduler{
		records: records, decoder: decoder,
		free: make(chan *chunk, chunks), queue: make(chan *chunk, chunks), work: make(chan *chunk, chunks),
	}
	for range chunks {
		s.free <- &chunk{Batch: event.Batch{CopyIDs: true}, decoded: make(chan struct{}, 1)}
	}
	return s
}

// take returns a free chunk to a reader, nil when the context ends.
func (s *scheduler) take(ctx context.Context) *chunk {
	select {
	case c := <-s.free:
		return c
	case <-ctx.Done():
		return nil
	}
}

// put enqueues a chunk. alone: nothing of its partition follows at once.
func (s *scheduler) put(c *chunk, alone bool) {
	small := alone && len(c.Records) <= smallChunk
	c.small = small
	s.queue <- c // queue and work have room for all chunks: no send waits
	if !small {
		s.work <- c
	}
}

// await returns when the examples of a chunk of the queue are complete. The learner calls it.
func (s *scheduler) await(c *chunk) {
	if c.small {
		c.Decode(s.decoder, c.Records)
	} else {
		<-c.decoded
	}
}

// release frees a chunk, and the memory of its records.
func (s *scheduler) release(c *chunk) {
	c.Release()
	s.free <- c
}

// decode decodes chunks until close; several goroutines may call it.
func (s *scheduler) decode(d *event.Decoder) {
	for c := range s.work {
		c.Decode(d, c.Records)
		c.decoded <- struct{}{}
	}
}

func (s *scheduler) close() { close(s.work) }
