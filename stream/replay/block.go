package replay

import (
	"slices"
	"sync"
	"sync/atomic"

	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// Block is a run of consecutive records of a source with what they decode to. Learners share it and only read it.
type Block struct {
	Records    []topics.Record // of a file, Offset is the number of the line
	Partitions []int32         // of each record; nil when there are none
	Files      []int32         // of each record, which of several files; nil when there is one
	event.Batch

	text    []byte        // room for values that a source has to copy
	done    int64         // of the source, in its own measure, behind this block
	total   int64         // of the source, as it was known then; 0 when it was not
	state   atomic.Int32  // waiting from when it is full, taken from when somebody decodes it
	decoded chan struct{} // receives once when Examples are complete
	users   atomic.Int32  // learners that still need it
	kept    bool          // it is needed for another pass
}

// blockRecords is how many records a block has: few enough for a processor's own cache, many enough that handing blocks over
// costs nothing.
const blockRecords = 512

// blockBytes is the room for copied values.
const blockBytes = 128 << 10

// longValue is the length in bytes over which a copied value gets memory of its own.
const longValue = blockBytes / 4

func newBlock() *Block {
	return &Block{Batch: event.Batch{Shared: true}, decoded: make(chan struct{}, 1)}
}

// Full tells whether the block has as many records, or as many bytes of copied values, as a block should have.
func (b *Block) Full() bool {
	return len(b.Records) >= blockRecords || len(b.text) > blockBytes-longValue
}

// Copy returns a copy of value in the block's own memory, for sources that use theirs again.
func (b *Block) Copy(value []byte) []byte {
	if _, room := b.Room(); len(value) > room {
		return append([]byte{}, value...)
	}
	from := len(b.text)
	b.text = append(b.text, value...)
	return b.text[from:len(b.text):len(b.text)]
}

// Room is how many more records and bytes of copied values go into the block.
func (b *Block) Room() (records, bytes int) {
	if b.text == nil {
		b.text = make([]byte, 0, blockBytes)
	}
	return blockRecords - len(b.Records), cap(b.text) - len(b.text)
}

// Lines appends lines of a file, the first of them with this number, as far as there is Room. They lie in text, with one byte between, and ends
// are the offsets behind them. The block keeps a copy.
func (b *Block) Lines(number int, text []byte, ends []int) {
	from, n := len(b.text), len(b.Records)
	b.text = append(b.text, text...)
	b.Records = slices.Grow(b.Records, len(ends))[:n+len(ends)]
	copied := b.text[from:]
	from = 0
	for i, end := range ends {
		b.Records[n+i] = topics.Record{Offset: int64(number + i), Value: copied[from:end:end]}
		from = end + 1
	}
}

// reset empties the block for other records.
func (b *Block) reset() {
	b.Records, b.Partitions, b.Files = b.Records[:0], b.Partitions[:0], b.Files[:0]
	b.text = b.text[:0]
}

// The states of a block.
const (
	taken = iota
	waiting
)

// claim is true for the one who is to decode the block.
func (b *Block) claim() bool { return b.state.CompareAndSwap(waiting, taken) }

func (b *Block) decode(d *event.Decoder) {
	b.Decode(d, b.Records)
	b.decoded <- struct{}{}
}

// pool hands out blocks and takes them back, the last one first: it is the likeliest to be in a processor's cache still. It never waits: a
// learner whose labels come late keeps blocks for long.
type pool struct {
	mu   sync.Mutex
	free []*Block
}

// maxFree is how many blocks a pool keeps.
const maxFree = 2 * inFlight

func (p *pool) get() *Block {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		return newBlock()
	}
	b := p.free[n-1]
	p.free = p.free[:n-1]
	b.reset()
	return b
}

// release gives up one learner's claim on the block.
func (p *pool) release(b *Block) {
	if b.users.Add(-1) != 0 || b.kept {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) < maxFree {
		p.free = append(p.free, b)
	}
}
