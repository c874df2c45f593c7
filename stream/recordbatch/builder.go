package recordbatch

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
)

// DefaultLimit is the default of Builder.Limit: below the default max.message.bytes of brokers, 1,048,588.
const DefaultLimit = 900_000

// Unsequenced is the producer id, epoch and sequence of a batch without a producer id.
const Unsequenced = -1

// ErrEmpty is the error of Seal without records: brokers reject empty batches.
var ErrEmpty = errors.New("batch without records")

// Builder collects records and encodes them as a batch. Its zero value is ready to use. It reuses its memory, and
// only one goroutine at a time may use it.
type Builder struct {
	// Limit is the maximum Size. 0 means DefaultLimit. It may be changed while the Builder is empty.
	Limit int
	// Single is the maximum Size of a batch of one record, if that is more than Limit.
	Single int

	buf     []byte // free bytes, space for the header, then the uncompressed records
	free    int    // how many free bytes
	count   int
	first   int64    // timestamp of the first record
	highest int64    // maximum timestamp
	lead    []Header // of the first record, added by Lead

	packer packer

	opened opened // between Start and Finish
	value  []byte // scratch of Finish
}

// Reset drops all records.
func (b *Builder) Reset() {
	b.buf, b.free = b.buf[:0], 0
	b.count = 0
	b.lead = nil
	b.packer.forget()
}

// Stamp moves the timestamps of all records by the same time, so that the highest is timestampMS.
func (b *Builder) Stamp(timestampMS int64) {
	b.first += timestampMS - b.highest
	b.highest = timestampMS
}

// Len returns the number of records.
func (b *Builder) Len() int { return b.count }

// Size returns the encoded size in bytes before compression, including the header of 61 bytes.
func (b *Builder) Size() int { return max(len(b.buf)-b.free, HeaderSize) }

// Cap returns how many bytes of memory the Builder keeps.
func (b *Builder) Cap() int { return cap(b.buf) + cap(b.packer.out) + cap(b.value) }

// Append adds a record with a copy of key and value, of which nil means null. It returns false, and adds nothing, if
// the batch would exceed Limit, or Single if it is the first record.
func (b *Builder) Append(timestampMS int64, key, value []byte) bool {
	return b.AppendHeaders(timestampMS, key, value, nil, nil)
}

// AppendHeaders is Append with headers: first raw, which is Record.Headers of another record (nil for none), then
// extra. It panics if raw does not begin with a count.
func (b *Builder) AppendHeaders(timestampMS int64, key, value, raw []byte, extra []Header) bool {
	return b.add(timestampMS, key, value, raw, extra, b.limit())
}

// limit is the maximum Size with one more record.
func (b *Builder) limit() int {
	limit := cmp.Or(b.Limit, DefaultLimit)
	if b.count == 0 {
		limit = max(limit, b.Single)
	}
	return min(limit, math.MaxInt32)
}

func (b *Builder) add(timestampMS int64, key, value, raw []byte, extra []Header, limit int) bool {
	delta := int64(0)
	if b.count > 0 {
		delta = timestampMS - b.first
	}
	headers, raw := splitCount(raw)
	headers += len(extra)
	body := 1 + varintLen(delta) + varintLen(int64(b.count)) + bytesLen(key) + bytesLen(value) +
		varintLen(int64(headers)) + len(raw)
	for i := range extra {
		body += varintLen(int64(len(extra[i].Key))) + len(extra[i].Key) + bytesLen(extra[i].Value)
	}
	size := varintLen(int64(body)) + body
	if size > limit-b.Size() {
		return false
	}
	buf := b.start(size)
	b.enter(timestampMS)
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

// Lead adds headers to the first record, regardless of Limit. There is one. They lead each part that CopyRange copies,
// too.
func (b *Builder) Lead(headers ...Header) {
	records := b.records()
	var first Record
	records.Next(&first)
	var led Builder
	led.add(first.Timestamp, first.Key, first.Value, first.Headers, headers, math.MaxInt32)
	record, end := led.records().rest, len(b.buf)-len(records.rest)
	if begin := end - len(record); begin >= HeaderSize {
		copy(b.buf[begin:], record)
		b.free = begin - HeaderSize
	} else {
		b.buf, b.free = slices.Replace(b.buf, HeaderSize, end, record...), 0
	}
	b.lead = headers
	b.packer.forget()
}

func (b *Builder) records() Records {
	whole := Batch{Count: b.count, LastOffset: int64(b.count - 1), FirstTimestamp: b.first}
	return whole.open(b.buf[b.free+HeaderSize:])
}

// leadRoom is how many bytes before the first record are free for those that Lead adds, so that it need not move the
// others.
const leadRoom = 1 << 10

// start returns buf with space for the header and for size more bytes.
func (b *Builder) start(size int) []byte {
	if b.count > 0 {
		return slices.Grow(b.buf, size)
	}
	b.free = leadRoom
	return slices.Grow(b.buf[:0], leadRoom+HeaderSize+size)[:leadRoom+HeaderSize]
}

// enter records the timestamp of an added record.
func (b *Builder) enter(timestampMS int64) {
	b.packer.forget()
	if b.count == 0 {
		b.first, b.highest = timestampMS, timestampMS
	}
	b.highest = max(b.highest, timestampMS)
}

// Seal returns the complete batch, with base offset 0 and leader epoch -1, which the broker replaces. sequence is that
// of the first record. Without a producer id, pass Unsequenced three times. A batch that compression would enlarge
// beyond Limit stays uncompressed. The bytes are valid until the next call of Append, Reset or Seal; the same arguments
// yield the same bytes, for a resend. The error is ErrEmpty, or that of an unknown codec.
func (b *Builder) Seal(producerID int64, epoch int16, sequence int32, codec Codec) ([]byte, error) {
	if b.count == 0 {
		return nil, ErrEmpty
	}
	if !codec.valid() {
		return nil, fmt.Errorf("seal a batch: unknown %v", codec)
	}
	out := b.buf[b.free:]
	if codec != None {
		packed, err := b.packer.pack(out, codec)
		if err != nil {
			return nil, fmt.Errorf("seal a batch: %w", err)
		}
		if len(packed) <= max(len(out), b.limit()) {
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

// fillHeader writes the fields that follow from the records.
func (b *Builder) fillHeader(out []byte, codec Codec) {
	be.PutUint64(out, 0)
	be.PutUint32(out[LengthAt:], uint32(len(out)-lengthCovers))
	be.PutUint32(out[LeaderEpochAt:], math.MaxUint32)
	out[MagicAt] = magic
	be.PutUint16(out[attrsAt:], uint16(codec))
	be.PutUint32(out[LastDeltaAt:], uint32(b.count-1))
	be.PutUint64(out[firstTimeAt:], uint64(b.first))
	be.PutUint64(out[maxTimeAt:], uint64(b.highest))
	be.PutUint32(out[CountAt:], uint32(b.count))
}

// CopyRange resets dst and copies the records from to to-1 of b to it, each as edit leaves it, regardless of its Limit,
// to split a batch that a broker rejected. edit may be nil. dst must not be b. CopyRange panics, like a slice
// expression, if the range is out of bounds.
func (b *Builder) CopyRange(dst *Builder, from, to int, edit func(*Record)) {
	if dst == b || from < 0 || to < from || to > b.count {
		panic(fmt.Sprintf("recordbatch: CopyRange %d to %d of %d records", from, to, b.count))
	}
	dst.Reset()
	if b.count == 0 {
		return
	}
	records := b.records()
	var r Record
	for i := 0; i < to && records.Next(&r); i++ {
		if i < from {
			continue
		}
		if edit != nil {
			edit(&r)
		}
		dst.add(r.Timestamp, r.Key, r.Value, r.Headers, nil, math.MaxInt32)
	}
	if records.err != nil {
		panic(fmt.Sprintf("recordbatch: a Builder cannot read its own records: %v", records.err))
	}
	switch {
	case len(b.lead) == 0 || from == to:
	case from == 0:
		dst.lead = b.lead
	default:
		dst.Lead(b.lead...)
	}
}
