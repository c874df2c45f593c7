package recordbatch

import (
	"hash/crc32"
	"math"
)

// Batch is the header of a batch and its records, still compressed. It aliases the buffer it was read from.
type Batch struct {
	BaseOffset int64 // offset of the first record the batch was written with
	LastOffset int64 // of the last one; compaction may have removed both and those between
	Leader     int32 // epoch of the partition's leader that wrote it; not covered by the checksum
	ProducerID int64 // -1 if there is none
	Epoch      int16 // of the producer
	Sequence   int32 // of the first record
	Codec      Codec

	Control       bool // its record is a marker, not data
	Transactional bool
	LogAppendTime bool // MaxTimestamp, set by the broker, is the timestamp of every record

	FirstTimestamp int64 // milliseconds; the records' timestamps are relative to it
	MaxTimestamp   int64 // milliseconds
	Count          int   // records it holds now; 0 if compaction removed them all

	records []byte
}

// Next reads the batch at the head of buf, a record set of a Fetch response, and returns the rest of buf. The error is
// ErrPartial if buf is empty or ends within the batch, else *Corrupt. After an error the batch has only the offsets, if
// known, and rest is buf.
func Next(buf []byte) (b Batch, rest []byte, err error) {
	if len(buf) <= MagicAt {
		return b, buf, ErrPartial
	}
	b.BaseOffset = int64(be.Uint64(buf))
	b.LastOffset = b.BaseOffset
	switch m := int8(buf[MagicAt]); {
	case m == 0 || m == 1:
		return b, buf, b.corrupt("magic %d: %w", m, ErrOldFormat)
	case m != magic:
		return b, buf, b.corrupt("magic %d", m)
	}
	length := int64(int32(be.Uint32(buf[LengthAt:])))
	if length < HeaderSize-lengthCovers {
		return b, buf, b.corrupt("length %d", length)
	}
	if int64(len(buf)) < lengthCovers+length {
		return b, buf, ErrPartial
	}
	end := lengthCovers + int(length)
	b.readHeader(buf[:HeaderSize])
	b.records = buf[HeaderSize:end:end]
	//mutation:batch-crc
	if crc32.Checksum(buf[attrsAt:end], castagnoli) != be.Uint32(buf[sumAt:]) {
		return b, buf, b.corrupt("%w", errSum)
	}
	if err := b.check(int32(be.Uint32(buf[LastDeltaAt:]))); err != nil {
		return b, buf, err
	}
	return b, buf[end:], nil
}

func (b *Batch) readHeader(h []byte) {
	b.Leader = int32(be.Uint32(h[LeaderEpochAt:]))
	attrs := be.Uint16(h[attrsAt:])
	b.Codec = Codec(attrs & codecBits)
	b.LogAppendTime = attrs&logAppendBit != 0
	b.Transactional = attrs&transactionalBit != 0
	b.Control = attrs&controlBit != 0
	b.LastOffset = b.BaseOffset + int64(int32(be.Uint32(h[LastDeltaAt:])))
	b.FirstTimestamp = int64(be.Uint64(h[firstTimeAt:]))
	b.MaxTimestamp = int64(be.Uint64(h[maxTimeAt:]))
	b.ProducerID = int64(be.Uint64(h[producerAt:]))
	b.Epoch = int16(be.Uint16(h[prodEpochAt:]))
	b.Sequence = int32(be.Uint32(h[sequenceAt:]))
	b.Count = int(int32(be.Uint32(h[CountAt:])))
}

// check rejects a header that no broker writes, although its checksum matches.
func (b *Batch) check(lastDelta int32) error {
	switch {
	case lastDelta < 0:
		return b.corrupt("last offset delta %d", lastDelta)
	case b.BaseOffset < 0 || b.BaseOffset > math.MaxInt64-int64(lastDelta)-1:
		return b.corrupt("base offset %d", b.BaseOffset)
	case b.Count < 0 || b.Count > int(lastDelta)+1:
		return b.corrupt("%d records at %d offsets", b.Count, int(lastDelta)+1)
	case !b.Codec.valid():
		return b.corrupt("unknown %v", b.Codec)
	}
	return nil
}

// Marker reports whether a control batch commits or aborts its producer's transaction. The error is *Corrupt: the
// batch is not a control batch, or the key of its record is not that of a marker.
func (b *Batch) Marker() (commit bool, err error) {
	if !b.Control || b.Codec != None {
		return false, b.corrupt("no transaction marker")
	}
	records := b.open(b.records)
	var r Record
	if !records.Next(&r) {
		if records.err != nil {
			return false, records.err
		}
		return false, b.corrupt("control batch without a record")
	}
	if len(r.Key) < 4 { // version and type, two bytes each; later versions may add fields
		return false, b.corrupt("control record with a key of %d bytes", len(r.Key))
	}
	switch kind := int16(be.Uint16(r.Key[2:])); kind {
	case 0:
		return false, nil
	case 1:
		return true, nil
	default:
		return false, b.corrupt("control record of type %d", kind)
	}
}
