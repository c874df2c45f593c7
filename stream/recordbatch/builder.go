package recordbatch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
)

// DefaultLimit is a Builder's limit in bytes when none is set: below max.message.bytes of a broker as it comes, 1,048,588.
const DefaultLimit = 900_000

// Unsequenced is the producer id, the epoch and the sequence of a batch that no producer id guards.
const Unsequenced = -1

// ErrEmpty is what Seal answers when there is no record: brokers refuse empty batches.
var ErrEmpty = errors.New("batch without records")

// Builder collects records and makes a batch of them. Its zero value is ready. One goroutine uses it; it keeps its memory.
type Builder struct {
	// Limit is the greatest size in bytes of the encoded batch before compression, its header of 61 bytes included.
	// 0 stands for DefaultLimit. It may be changed while the Builder is empty.
	Limit int

	buf     []byte // the header's place, then the records, uncompressed
	count   int
	first   int64 // timestamp of the first record
	highest int64 // greatest timestamp

	packer packer

	opened opened // between Start and Finish
	value  []byte // scratch of Finish
}

// Reset drops all records.
func (b *Builder) Reset() {
	b.buf = b.buf[:0]
	b.count = 0
	b.packer.forget()
}

// Abandon drops the memory: what Seal returned last keeps its bytes, for whoever may still be reading them. Until the next Reset
// nothing but Len and Limit may be used.
func (b *Builder) Abandon() { b.buf, b.packer.out, b.packer.packed = nil, nil, None }

// Len returns the number of records.
func (b *Builder) Len() int { return b.count }

// Size returns the encoded size in bytes before compression, the header of 61 bytes included.
func (b *Builder) Size() int { return max(len(b.buf), headerSize) }

// Append adds a record. timestampMS is in milliseconds since 1970. A nil key or value is null. It returns false, and has added
// nothing, when the batch would exceed Limit. It copies key and value, and allocates nothing once the Builder's memory has grown.
func (b *Builder) Append(timestampMS int64, key, value []byte) bool {
	return b.AppendHeaders(timestampMS, key, value, nil, nil)
}

// AppendHeaders is Append with headers: first raw, the headers of a record as it was read (Record.Headers, nil for none),
// then extra. It panics if raw does not begin with a count, which no Record's Headers do.
func (b *Builder) AppendHeaders(timestampMS int64, key, value, raw []byte, extra []Header) bool {
	return b.add(timestampMS, key, value, raw, extra, b.limit())
}

func (b *Builder) limit() int {
	if b.Limit == 0 {
		return DefaultLimit
	}
	return min(b.Limit, math.MaxInt32)
}

func (b *Builder) add(timestampMS int64, key, value, raw []byte, extra []Header, limit int) bool {
	delta := int64(0)
	if b.count > 0 {
		delta = timestampMS - b.first
	}
	headers, raw := splitCount(raw)
	headers += len(extra)
	body := 1 + varintLen(delta) + varintLen(int64(b.count)) + bytesLen(key) + bytesLen(value) + varintLen(int64(headers)) + len(raw)
	for i := range extra {
		body += varintLen(int64(len(extra[i].Key))) + len(extra[i].Key) + bytesLen(extra[i].Value)
	}
	size := varintLen(int64(body)) + body
	if size > limit-b.Size() {
		return false
	}
	b.begin(timestampMS)
	buf := slices.Grow(b.buf, size)
	buf = binary.AppendVarint(buf, int64(body))
	buf = append(buf, 0) // attributes: no bit has a meaning
	buf = binary.AppendVarint(buf, delta)
	buf = binary.AppendVarint(buf, int64(b.count))
	buf = appendBytes(buf, key)
	buf = appendBytes(buf, value)
	buf = binary.AppendVarint(buf, int64(headers))
	b.buf = appendHeaders(append(buf, raw...), extra)
	b.count++
	return true
}

// begin makes ready for one more record.
func (b *Builder) begin(timestampMS int64) {
	if b.count == 0 {
		var place [headerSize]byte
		b.buf = append(b.buf[:0], place[:]...)
	}
	b.enter(timestampMS)
}

// enter takes note of a record that is added.
func (b *Builder) enter(timestampMS int64) {
	b.packer.forget()
	if b.count == 0 {
		b.first, b.highest = timestampMS, timestampMS
	}
	b.highest = max(b.highest, timestampMS)
}

// Seal returns the complete batch: base offset 0 and leader epoch -1, which the broker replaces, CreateTime, the sum filled in.
// sequence is that of the first record. Give Unsequenced three times for a batch without a producer id.
// Where compression would lift the batch over Limit, it is left uncompressed, so that no sealed batch exceeds it.
// The bytes are valid until the next call of Append, Reset or Seal; the same arguments give the same bytes, for a resend.
// The errors are ErrEmpty and a codec that Kafka does not know.
func (b *Builder) Seal(producerID int64, epoch int16, sequence int32, codec Codec) ([]byte, error) {
	if b.count == 0 {
		return nil, ErrEmpty
	}
	if !codec.valid() {
		return nil, fmt.Errorf("seal a batch: unknown %v", codec)
	}
	out := b.buf
	if codec != None {
		packed, err := b.packer.pack(b.buf, codec)
		if err != nil {
			return nil, fmt.Errorf("seal a batch: %w", err)
		}
		if len(packed) <= max(len(b.buf), b.limit()) {
			out = packed
		} else {
			codec = None
		}
	}
	b.fillHeader(out, codec)
	be.PutUint64(out[producerAt:], uint64(producerID))
	be.PutUint16(out[prodEpochAt:], uint16(epoch))
	be.PutUint32(out[sequenceAt:], uint32(sequence))
	be.PutUint32(out[sumAt:], crc32.Checksum(out[attrsAt:], castagnoli))
	return out, nil
}

// fillHeader writes what the records say of themselves.
func (b *Builder) fillHeader(out []byte, codec Codec) {
	be.PutUint64(out, 0)
	be.PutUint32(out[lengthAt:], uint32(len(out)-lengthCovers))
	be.PutUint32(out[epochAt:], math.MaxUint32)
	out[magicAt] = magic
	be.PutUint16(out[attrsAt:], uint16(codec))
	be.PutUint32(out[lastDeltaAt:], uint32(b.count-1))
	be.PutUint64(out[firstTimeAt:], uint64(b.first))
	be.PutUint64(out[maxTimeAt:], uint64(b.highest))
	be.PutUint32(out[countAt:], uint32(b.count))
}

// CopyRange resets dst and fills it with the records from to to-1 of b, counted from 0: so a refused batch is split.
// dst keeps its Limit, but all the records are copied whether or not they exceed it. dst must be another Builder than b.
// It panics like a slice expression when the range is not one of b's.
func (b *Builder) CopyRange(dst *Builder, from, to int) {
	if dst == b || from < 0 || to < from || to > b.count {
		panic(fmt.Sprintf("recordbatch: CopyRange %d to %d of %d records", from, to, b.count))
	}
	dst.Reset()
	if b.count == 0 {
		return
	}
	records := Records{rest: b.buf[headerSize:], count: b.count, lastDelta: int32(b.count - 1), firstTime: b.first, previous: -1}
	var r Record
	for i := 0; i < to && records.Next(&r); i++ {
		if i >= from {
			dst.add(r.Timestamp, r.Key, r.Value, r.Headers, nil, math.MaxInt32)
		}
	}
	if records.err != nil {
		panic(fmt.Sprintf("recordbatch: a Builder cannot read its own records: %v", records.err))
	}
}
