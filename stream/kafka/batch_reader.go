package kafka

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"rosenblatt/stream/kafka/fetch"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// A batchReader delivers the records of one fetch.Result.
type batchReader struct {
	rest    []byte // batches not yet opened
	high    int64  // high watermark of the fetch
	filter  filter
	batch   recordbatch.Batch
	records recordbatch.Records
	open    bool // records are being delivered from batch
	moved   bool // a batch reached beyond the position

	client   *Client
	size     int           // of the fetched batches
	fetched  *fetch.Memory // memory of rest
	unpacked []byte        // the used part of the newest buffer for unpacked batches
	buffers  [][]byte      // reusable memory of the unpacked batches
	users    atomic.Int32
}

// unpackRoom is how many times the size of what was fetched is taken at a time for what it unpacks to.
const unpackRoom = 4

func newBatchReader(f *fetch.Result, c *Client) *batchReader {
	b := &batchReader{rest: f.Data, high: f.High, filter: newFilter(f.Aborted), size: len(f.Data), fetched: f.Memory,
		client: c}
	b.users.Store(1)
	return b
}

func (b *batchReader) memory(size int) []byte {
	if size > cap(b.unpacked)-len(b.unpacked) {
		b.unpacked = b.more(size)
	}
	from := len(b.unpacked)
	b.unpacked = b.unpacked[:from+size]
	return b.unpacked[from : from+size : from+size]
}

// more returns an empty buffer with room for what is to be unpacked, and most likely for what follows. What is little
// is not worth a reusable buffer: with many partitions that would take more memory than all records.
func (b *batchReader) more(size int) []byte {
	fetch := int(b.client.fetcher.Full())
	size = max(size, min(fetch, unpackRoom*b.size))
	if size < fetch/2 {
		return make([]byte, 0, size)
	}
	buffer, again := b.client.fetcher.Buffers.Take(size, fetch)
	if again {
		b.buffers = append(b.buffers, buffer)
	}
	return buffer[:0]
}

func (b *batchReader) share(run *topics.Run) {
	b.users.Add(1)
	run.Hold(b)
}

// Release is called by each user of the memory, the reader among them; then a later fetch may reuse it.
func (b *batchReader) Release() {
	if b.users.Add(-1) == 0 {
		b.fetched.Release()
		for _, buffer := range b.buffers {
			b.client.fetcher.Buffers.Put(buffer)
		}
	}
}

// brokenBatch is a batch that cannot be read, with the offsets that it claims as far as they are plausible.
type brokenBatch struct {
	first, last int64
	err         error
}

func (b *brokenBatch) Error() string { return b.err.Error() }
func (b *brokenBatch) Unwrap() error { return b.err }

// deliver appends records to the run until it holds max or the batch ends, and moves the reader's position.
func (b *batchReader) deliver(r *reader, run *topics.Run, max int) error {
	if !b.open {
		opened, err := b.openNext(r)
		if err != nil || !opened {
			return err
		}
	}
	var rec recordbatch.Record
	rec.In(run.Partition)
	for len(run.Records) < max && r.bytes < runBytes {
		if !b.records.Next(&rec) {
			return b.close(r)
		}
		if rec.Offset < r.next {
			continue // brokers send whole batches, also when the position is inside one
		}
		r.next = rec.Offset + 1
		if r.skipTo(rec.Offset) > rec.Offset {
			r.client.skipped.Add(1)
			continue
		}
		run.Records = append(run.Records, rec)
		r.bytes += len(rec.Key) + len(rec.Value)
	}
	return nil
}

// openNext opens the next batch. It returns false when there is none, or when it moved the position past it.
func (b *batchReader) openNext(r *reader) (opened bool, err error) {
	if len(b.rest) == 0 {
		r.batches = nil
		return false, nil
	}
	batch, rest, err := recordbatch.Next(b.rest)
	if errors.Is(err, recordbatch.ErrPartial) && b.moved {
		r.batches = nil // it was cut off, and the next fetch returns it whole
		return false, nil
	}
	if err != nil {
		return false, b.corrupt(r, batch, err)
	}
	b.batch, b.rest = batch, rest
	if !b.filter.keep(&b.batch) || b.batch.LastOffset < r.next {
		return false, b.close(r)
	}
	if b.records, err = r.unpacker.Open(&b.batch); err != nil {
		return false, b.broken(r, err)
	}
	b.open = true
	return true, nil
}

// close moves the position after the batch's last offset, which compaction does not change.
func (b *batchReader) close(r *reader) error {
	if b.open {
		b.open = false
		if err := b.records.Err(); err != nil {
			return b.broken(r, err)
		}
	}
	if b.batch.LastOffset >= r.next {
		r.next = b.batch.LastOffset + 1
	}
	b.moved = b.moved || b.batch.LastOffset+1 == r.next
	if len(b.rest) == 0 && !b.moved {
		return b.broken(r, fmt.Errorf("the broker sent offsets %d to %d only", b.batch.BaseOffset, b.batch.LastOffset))
	}
	return nil
}

func (b *batchReader) broken(r *reader, err error) error {
	return &brokenBatch{first: max(r.next, b.batch.BaseOffset), last: b.batch.LastOffset, err: err}
}

// corrupt is broken for a batch whose header is not reliable. Its last offset goes into the --skip that an operator is
// advised to use, so it must exclude sound records: it ends before the batch after it and the log's end.
func (b *batchReader) corrupt(r *reader, batch recordbatch.Batch, err error) error {
	first, last := r.next, batch.LastOffset
	if b.high > first {
		last = min(last, b.high-1)
	}
	size := int64(int32(binary.BigEndian.Uint32(head(b.rest)[recordbatch.LengthAt:]))) + 12
	if size >= recordbatch.HeaderSize && size <= int64(len(b.rest))-recordbatch.HeaderSize {
		behind := int64(binary.BigEndian.Uint64(b.rest[size:]))
		if b.rest[size+recordbatch.MagicAt] == 2 && behind > first {
			last = min(last, behind-1)
		}
	}
	return &brokenBatch{first: first, last: max(first, last), err: err}
}

// head returns the first bytes of a batch, padded with zeros.
func head(b []byte) []byte {
	h := make([]byte, recordbatch.HeaderSize)
	copy(h, b)
	return h
}
