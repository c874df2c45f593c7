package replay

import (
	"sync/atomic"

	"rosenblatt/learner"
	"rosenblatt/stream"
	"rosenblatt/stream/decode"
)

// Block is a run of consecutive records of a source with what they decode to. Learners share it and only read it.
type Block struct {
	Records    []stream.Record // of a file, Offset is the number of the line
	Partitions []int32         // of each record; nil when there are none
	Files      []int32         // of each record, which of several files; nil when there is one
	Examples   []decode.Example

	skipped int64 // how many examples are passed by
	arena   []learner.Feature
	text    []byte        // room for values that a source has to copy
	done    int64         // of the source, in its own measure, behind this block
	total   int64         // of the source, as it was known then; 0 when it was not
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

func newBlock() *Block { return &Block{decoded: make(chan struct{}, 1)} }

// Features are the features of example i.
func (b *Block) Features(i int) []learner.Feature { return b.Examples[i].Features(b.arena) }

// Full tells whether the block has as many records, or as many bytes of copied values, as a block should have.
func (b *Block) Full() bool {
	return len(b.Records) >= blockRecords || len(b.text) > blockBytes-longValue
}

// Copy returns a copy of value in the block's own memory, for sources that use theirs again.
func (b *Block) Copy(value []byte) []byte {
	if b.text == nil {
		b.text = make([]byte, 0, blockBytes)
	}
	if len(value) > cap(b.text)-len(b.text) {
		return append([]byte{}, value...)
	}
	from := len(b.text)
	b.text = append(b.text, value...)
	return b.text[from:len(b.text):len(b.text)]
}

// reset empties the block for other records.
func (b *Block) reset() {
	b.Records, b.Partitions, b.Files = b.Records[:0], b.Partitions[:0], b.Files[:0]
	b.text = b.text[:0]
}

func (b *Block) decode(d *decode.Decoder) {
	if cap(b.Examples) < len(b.Records) {
		b.Examples = make([]decode.Example, max(len(b.Records), blockRecords))
	}
	b.Examples, b.arena, b.skipped = b.Examples[:len(b.Records)], b.arena[:0], 0
	for i := range b.Records {
		e := &b.Examples[i]
		b.arena = d.Decode(b.Records[i].Key, b.Records[i].Value, b.arena, e)
		if e.Skip {
			b.skipped++
		}
	}
	b.decoded <- struct{}{}
}

// pool hands out blocks and takes them back. It never waits: a learner whose labels come late keeps blocks for long.
type pool chan *Block

func (p pool) get() *Block {
	select {
	case b := <-p:
		b.reset()
		return b
	default:
		return newBlock()
	}
}

// release gives up one learner's claim on the block.
func (p pool) release(b *Block) {
	if b.users.Add(-1) != 0 || b.kept {
		return
	}
	select {
	case p <- b:
	default:
	}
}
