package replay

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"

	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// Block is a run of consecutive records with their decoded examples, which all learners read.
type Block struct {
	Records    []topics.Record // of a file, Offset is the number of the line
	Partitions []int32         // of each record; nil when there are none
	Files      []int32         // of each record, which of several files; nil when there is one
	event.Batch

	Seqs []int64 // of each record's prediction; nil when there are none

	// Label records of a source that has them (Config.Labels): Labels[i] comes before Records[Before[i]], or behind the
	// last record.
	Labels          []topics.Record
	Before          []int32
	LabelPartitions []int32     // of each label record; nil when there are none
	labels          event.Batch // the decoded Labels

	rejected, rejectedLabels []rejection // by the source

	outcomes []outcome // of a journal, which says what becomes of the label records

	text    []byte        // memory for values that a source has to copy
	done    int64         // Source.Done after this block
	total   int64         // of the source, as known then; 0 for unknown
	state   atomic.Int32  // waiting once the block is full, taken once a goroutine decodes it
	decoded chan struct{} // receives once when Examples are complete
	users   atomic.Int32  // learners that still need it
	kept    bool          // for another pass
}

// rejection is a record that a source rejects for what the decoder does not read, as its time.
type rejection struct {
	at     int
	why    *event.Error
	unread bool // the source could not make an event of it
}

// Reject rejects the record that has this place in Records, unless why is nil. What the decoder says of it comes first.
func (b *Block) Reject(at int, why *event.Error) {
	if why != nil {
		b.rejected = append(b.rejected, rejection{at: at, why: why})
	}
}

// Refuse is Reject for a record of which the source could not make an event: the decoder rejects it, too, but cannot
// say why.
func (b *Block) Refuse(at int, why *event.Error) {
	if why != nil {
		b.rejected = append(b.rejected, rejection{at, why, true})
	}
}

// Refused returns why a record was refused, nil if it was not.
func (b *Block) Refused(at int) *event.Error {
	for _, r := range b.rejected {
		if r.at == at && r.unread {
			return r.why
		}
	}
	return nil
}

// RejectLabel is Reject for a place in Labels.
func (b *Block) RejectLabel(at int, why *event.Error) {
	if why != nil {
		b.rejectedLabels = append(b.rejectedLabels, rejection{at: at, why: why})
	}
}

func reject(of *event.Batch, all []rejection) {
	for _, r := range all {
		//mutation:rejected-by-source
		if e := &of.Examples[r.at]; r.unread == (e.Rejected != nil) && !e.Skip {
			e.Rejected = r.why
		}
	}
}

const (
	blockRecords = 512            // few enough for a processor's cache, many enough that channels cost little
	blockBytes   = 128 << 10      // memory for copied values
	longValue    = blockBytes / 4 // bytes above which a copied value gets memory of its own
)

// Full reports whether the block has as many records or bytes as it should have.
func (b *Block) Full() bool {
	return len(b.Records)+max(len(b.Labels), len(b.outcomes)) >= blockRecords || len(b.text) > blockBytes-longValue
}

// Copy copies a value to the block's memory, for sources that reuse theirs.
func (b *Block) Copy(value []byte) []byte {
	if _, room := b.Room(); len(value) > room {
		return slices.Clone(value)
	}
	from := len(b.text)
	b.text = append(b.text, value...)
	return b.text[from:len(b.text):len(b.text)]
}

// addLabel adds a label record after the records so far.
func (b *Block) addLabel(r topics.Record, partition int32) {
	b.Labels, b.Before = append(b.Labels, r), append(b.Before, int32(len(b.Records)))
	b.LabelPartitions = append(b.LabelPartitions, partition)
}

// labelPartition is the partition of label record i, 0 when there are none.
func (b *Block) labelPartition(i int) int32 {
	if len(b.LabelPartitions) == 0 {
		return 0
	}
	return b.LabelPartitions[i]
}

// Room is how many more records and bytes of copied values fit.
func (b *Block) Room() (records, bytes int) {
	if b.text == nil {
		b.text = make([]byte, 0, blockBytes)
	}
	return blockRecords - len(b.Records), cap(b.text) - len(b.text)
}

// Lines appends lines of a file, for which there must be Room; number is that of the first. text holds them, ends the
// offsets in it of their line feeds. A CR before one is not part of the value. The block keeps a copy.
func (b *Block) Lines(number int, text []byte, ends []int) {
	from, n := len(b.text), len(b.Records)
	b.text = append(b.text, text...)
	b.Records = slices.Grow(b.Records, len(ends))[:n+len(ends)]
	copied := b.text[from:]
	from = 0
	for i, end := range ends {
		value := bytes.TrimSuffix(copied[from:end:end], []byte("\r"))
		b.Records[n+i] = topics.Record{Offset: int64(number + i), Value: value}
		from = end + 1
	}
}

const (
	taken = iota
	waiting
)

// claim returns true to one goroutine, which is to decode the block.
func (b *Block) claim() bool { return b.state.CompareAndSwap(waiting, taken) }

func (b *Block) decode(d decoders) {
	b.Decode(d.events, b.Records)
	reject(&b.Batch, b.rejected)
	if d.labels != nil {
		b.labels.Decode(d.labels, b.Labels)
		reject(&b.labels, b.rejectedLabels)
	}
	b.decoded <- struct{}{}
}

// decoders are those of one goroutine.
type decoders struct {
	events *event.Decoder
	labels *event.Decoder // nil without Config.Labels
}

// pool is a free list of blocks. The last one released is reused first: it is likely in a processor's cache. It never
// blocks, since late labels keep blocks for long.
type pool struct {
	mu   sync.Mutex
	free []*Block
}

const maxFree = 2 * inFlight

func (p *pool) get() *Block {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		return &Block{Batch: event.Batch{Shared: true}, decoded: make(chan struct{}, 1)}
	}
	b := p.free[n-1]
	p.free = p.free[:n-1]
	b.Records, b.Partitions, b.Files, b.text = b.Records[:0], b.Partitions[:0], b.Files[:0], b.text[:0]
	b.Labels, b.Before, b.LabelPartitions = b.Labels[:0], b.Before[:0], b.LabelPartitions[:0]
	b.Seqs, b.outcomes = b.Seqs[:0], b.outcomes[:0]
	b.rejected, b.rejectedLabels = b.rejected[:0], b.rejectedLabels[:0]
	return b
}

// release ends the use by one learner.
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
