package kafka

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// A page is a fetchResult that is being delivered.
type batchReader struct {
	rest    []byte // batches not yet looked at
	high    int64  // the high watermark when it was fetched
	filter  filter
	batch   recordbatch.Batch
	records recordbatch.Records
	open    bool // records are being delivered from batch
	moved   bool // a batch reached beyond the position

	client  *Client
	room    []byte   // what is used of the newest buffer for unpacked batches
	buffers [][]byte // what rest and the unpacked batches lie in, as far as it is to be used again
	users   atomic.Int32
}

func newBatchReader(h *fetchResult, c *Client) *batchReader {
	p := &batchReader{rest: h.data, high: h.high, filter: newFilter(h.aborted), client: c}
	if h.buffer != nil {
		p.buffers = append(p.buffers, h.buffer)
	}
	p.users.Store(1)
	return p
}

// memory is room for an unpacked batch.
func (p *batchReader) memory(size int) []byte {
	if size > cap(p.room)-len(p.room) {
		fetch := int(p.client.fetchBytes())
		buffer, again := p.client.buffers.take(max(size, fetch), fetch)
		if again {
			p.buffers = append(p.buffers, buffer)
		}
		p.room = buffer[:0]
	}
	from := len(p.room)
	p.room = p.room[:from+size]
	return p.room[from : from+size : from+size]
}

// share has the page's memory kept until the chunk is released too.
func (p *batchReader) share(c *topics.Run) {
	p.users.Add(1)
	c.Hold(p)
}

// Release is called by each that used the page's memory, the reader among them; then the next fetch may use it.
func (p *batchReader) Release() {
	if p.users.Add(-1) == 0 {
		for _, b := range p.buffers {
			p.client.buffers.put(b)
		}
	}
}

// brokenBatch is a batch that cannot be read, with the offsets that it claims, as far as they make sense.
type brokenBatch struct {
	first, last int64
	err         error
}

func (b *brokenBatch) Error() string { return b.err.Error() }
func (b *brokenBatch) Unwrap() error { return b.err }

// deliver appends records to the chunk until it holds max or the batch ends, and moves the reader's position. At the end of
// the page it takes itself off the reader.
func (p *batchReader) deliver(r *reader, c *topics.Run, max int) error {
	if !p.open {
		more, err := p.turn(r)
		if err != nil || !more {
			return err
		}
	}
	var rec recordbatch.Record
	for len(c.Records) < max && r.bytes < chunkBytes {
		if !p.records.Next(&rec) {
			return p.close(r)
		}
		if rec.Offset < r.next {
			continue // whole batches come, also when the position lies within one
		}
		r.next = rec.Offset + 1
		if r.skipTo(rec.Offset) > rec.Offset {
			r.client.skipped.Add(1)
			continue
		}
		c.Records = append(c.Records, rec)
		r.bytes += len(rec.Key) + len(rec.Value)
	}
	return nil
}

// turn opens the next batch. Without records to deliver it moves the position past it; more is false when there is nothing
// to read in it, or no batch at all.
func (p *batchReader) turn(r *reader) (more bool, err error) {
	if len(p.rest) == 0 {
		r.page = nil
		return false, nil
	}
	batch, rest, err := recordbatch.Next(p.rest)
	if errors.Is(err, recordbatch.ErrPartial) && p.moved {
		r.page = nil // it was cut off and comes whole with the next fetchResult
		return false, nil
	}
	if err != nil {
		return false, p.unsound(r, batch, err)
	}
	p.batch, p.rest = batch, rest
	if !p.filter.keep(&p.batch) || p.batch.LastOffset < r.next {
		return false, p.close(r)
	}
	if p.records, err = r.unpacker.Open(&p.batch); err != nil {
		return false, p.broken(r, err)
	}
	p.open = true
	return true, nil
}

// close ends a batch: the position moves behind its last offset, which compaction leaves as it was.
func (p *batchReader) close(r *reader) error {
	if p.open {
		p.open = false
		if err := p.records.Err(); err != nil {
			return p.broken(r, err)
		}
	}
	if p.batch.LastOffset >= r.next {
		r.next = p.batch.LastOffset + 1
	}
	p.moved = p.moved || p.batch.LastOffset+1 == r.next
	if len(p.rest) == 0 && !p.moved {
		return p.broken(r, fmt.Errorf("the broker sent offsets %d to %d only", p.batch.BaseOffset, p.batch.LastOffset))
	}
	return nil
}

func (p *batchReader) broken(r *reader, err error) error {
	return &brokenBatch{first: max(r.next, p.batch.BaseOffset), last: p.batch.LastOffset, err: err}
}

// unsound is broken for a batch whose header is not to be trusted. Its last offset goes into the --skip that an operator is
// told to use, so it must not reach into sound records: it ends before the batch behind it and before the log's end.
func (p *batchReader) unsound(r *reader, b recordbatch.Batch, err error) error {
	first, last := r.next, b.LastOffset
	if p.high > first {
		last = min(last, p.high-1)
	}
	if size := int64(int32(binary.BigEndian.Uint32(head(p.rest)[batchLength:]))) + 12; size >= batchHeader && size <= int64(len(p.rest))-batchHeader {
		if behind := int64(binary.BigEndian.Uint64(p.rest[size:])); p.rest[size+batchMagic] == 2 && behind > first {
			last = min(last, behind-1)
		}
	}
	return &brokenBatch{first: first, last: max(first, last), err: err}
}

// head gives the first bytes of a batch, zeros where it is cut off.
func head(b []byte) []byte {
	if len(b) >= batchHeader {
		return b[:batchHeader]
	}
	return append(append(make([]byte, 0, batchHeader), b...), make([]byte, batchHeader-len(b))...)
}
