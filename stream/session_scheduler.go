package stream

import (
	"context"
	"runtime"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// scheduler passes chunks from the readers to the decoders and the learner, and back.
//
// The obvious design is one goroutine that reads, decodes and learns. Decoding takes the larger part of an event's
// time, so that would leave cores idle. Workers that each take a record all the way would use them. But then the order
// of learning, on which every bit of a score depends, would be that of goroutines.
//
// So a chunk enters the queue when it is put, before it is decoded. Decoders work in any order, and the learner waits
// at the head of the queue until that chunk is complete. Chunks are learned in the order of put: nothing else may
// decide. They are few and small, so each partition gets its turn soon, however much others have.
type scheduler struct {
	records int      // at most in a chunk
	decoder decoders // the learner's own, for small chunks
	merged  int      // partitions that are merged: each has chunks of its own, which wait for others
	further int      // chunks that a partition of the labels has when events are read back for it

	turns   chan struct{} // one for each partition with a backlog that is being read
	passing chan struct{} // one for each whose result of several chunks is being passed on
	free    chan *chunk
	current chan *chunk // free ones for partitions without a backlog
	queue   chan *chunk
	work    chan *chunk // those of queue that a decoder decodes, in the same order
}

// turns is how many partitions with a backlog are read at a time. The others wait for their turn: a turn is the result
// of one fetch.
const turns = 64

// passing is how many results of several chunks are passed on at a time. The chunks of one then follow one another so
// closely that they are in one flight, as one batch: each costs the brokers as much as hundreds of records.
const passing = 4

// freeChunks is how many chunks there are for partitions with a backlog, and as many for others: some are decoded while
// others are learned.
const freeChunks = 16

// furtherChunks is how many chunks there are in all for labels whose events are read back: 65,536 records.
const furtherChunks = 256

// chunkRecords is the greatest number of records in a chunk. With 500 bytes and 30 features each, it and its features
// take half of a cache of 512 KiB.
const chunkRecords = 256

// smallChunk is how many records the learner decodes itself, faster than another goroutine wakes.
const smallChunk = 16

// decoders are those of one goroutine.
type decoders struct {
	events *event.Decoder
	labels *event.Decoder // nil without later labels
	ids    *labels.Identifier
}

func newDecoders(c *model.Config) (d decoders, err error) {
	if d.events, err = event.New(c.Decode); err == nil && c.Late != nil {
		d.labels, err = event.NewLabels(c.Late.Decode, c.Late.ByKey())
		d.ids = &labels.Identifier{ByKey: c.Late.ByKey()}
	}
	return d, err
}

func (d decoders) decode(c *chunk) {
	if c.topic == topics.Labels {
		c.Decode(d.labels, c.Records)
	} else {
		c.Decode(d.events, c.Records)
	}
	c.identify(d.ids)
}

// newScheduler makes a scheduler and its chunks, of at most so many records. Of a task with later labels, so many
// partitions are merged, of them so many of labels.
func newScheduler(records int, d decoders, merged, labels int) *scheduler {
	//mutation:few-chunks
	chunks := freeChunks
	if merged > 0 {
		chunks = max(chunks, (merged*ownChunks(merged)+1)/2)
	}
	further := furtherChunks / max(1, labels)
	all := 2*chunks + labels*further
	s := &scheduler{
		records: min(records, chunkRecords), decoder: d, merged: merged, further: further,
		turns:   make(chan struct{}, turns),
		passing: make(chan struct{}, passing),
		free:    make(chan *chunk, chunks),
		current: make(chan *chunk, chunks),
		queue:   make(chan *chunk, all),
		work:    make(chan *chunk, all),
	}
	if s.merged > 0 {
		return s
	}
	for _, free := range []chan *chunk{s.free, s.current} {
		fill(free, cap(free))
	}
	return s
}

// fill makes so many chunks.
func fill(free chan *chunk, n int) {
	for range n {
		free <- &chunk{Batch: event.Batch{CopyIDs: true}, decoded: make(chan struct{}, 1), free: free}
	}
}

// more makes the further chunks of a partition of the labels. It is called once, while none of them exists.
func (s *scheduler) more(free chan *chunk) { fill(free, s.further) }

// ownChunks is how many chunks each of so many merged partitions has.
func ownChunks(partitions int) int { return max(2, 2*freeChunks/partitions) }

// own makes the chunks of a partition that is merged with others; nil if it is not.
func (s *scheduler) own() chan *chunk {
	if s.merged == 0 {
		return nil
	}
	n := ownChunks(s.merged)
	free := make(chan *chunk, n+s.further)
	fill(free, n)
	return free
}

// turn ends the turn of a reader that has one, and returns whether it has one: with a backlog it waits for its next. In
// the middle of a result it waits for none.
func (s *scheduler) turn(ctx context.Context, has, middle, backlog bool) bool {
	switch {
	case middle:
		return has
	case has:
		<-s.turns
	}
	if !backlog || s.merged > 0 {
		return false
	}
	select {
	case s.turns <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// begin waits until a result of several chunks may be passed on; false when the context ends.
func (s *scheduler) begin(ctx context.Context) bool {
	select {
	case s.passing <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// end follows begin, when the last chunk was taken.
func (s *scheduler) end() { <-s.passing }

// take returns a free chunk for a run of records, nil when the context ends. alone: nothing of their partition precedes
// or follows them at once. own are the chunks of a partition that is merged.
func (s *scheduler) take(ctx context.Context, alone bool, own <-chan *chunk) *chunk {
	var current chan *chunk
	if alone {
		current = s.current
	}
	select {
	case c := <-s.free:
		return c
	case c := <-current:
		return c
	case c := <-own:
		return c
	case <-ctx.Done():
		return nil
	}
}

// put enqueues a chunk. alone: as for take.
func (s *scheduler) put(c *chunk, alone bool) {
	small := alone && len(c.Records) <= smallChunk
	c.small = small
	s.queue <- c // queue and work have room for all chunks: no send waits
	if !small {
		s.work <- c
	}
}

// queued reports whether chunks are in the queue. If there are none it lets other goroutines run first: the readers of
// the other partitions in a response have only just been woken, and what they read is to be in the same flight.
func (s *scheduler) queued() bool {
	if len(s.queue) == 0 {
		runtime.Gosched()
	}
	return len(s.queue) > 0
}

// await returns when the examples of a chunk of the queue are complete. The learner calls it.
func (s *scheduler) await(c *chunk) {
	if c.small {
		s.decoder.decode(c)
	} else {
		<-c.decoded
	}
}

// release frees a chunk, and the memory of its records.
func (s *scheduler) release(c *chunk) {
	c.Release()
	c.free <- c
}

// decode decodes chunks until close; several goroutines may call it.
func (s *scheduler) decode(d decoders) {
	for c := range s.work {
		d.decode(c)
		c.decoded <- struct{}{}
	}
}

func (s *scheduler) close() { close(s.work) }
