package recordbatch

import (
	"encoding/binary"
	"hash/crc32"
)

// The offsets of a batch's fields, as in the package's documentation.
const (
	LengthAt      = 8
	LeaderEpochAt = 12 // of the leader
	MagicAt       = 16
	sumAt         = 17
	attrsAt       = 21
	LastDeltaAt   = 23
	firstTimeAt   = 27
	maxTimeAt     = 35
	producerAt    = 43
	prodEpochAt   = 51
	sequenceAt    = 53
	CountAt       = 57
	HeaderSize    = 61
	lengthCovers  = LengthAt + 4 // the length field counts from here
)

// The bits of a batch's attributes. Bit 6 means that the first timestamp is a delete horizon (KIP-534), to which the
// record timestamps are still relative.
const (
	codecBits        = 0x07
	logAppendBit     = 0x08
	transactionalBit = 0x10
	controlBit       = 0x20
)

const magic = 2

var (
	be         = binary.BigEndian
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

// varintLen returns how many bytes the zigzag varint of x takes: 1 to 10.
func varintLen(x int64) int {
	u := uint64(x<<1) ^ uint64(x>>63)
	n := 1
	for ; u >= 0x80; u >>= 7 {
		n++
	}
	return n
}

// varint32 reads a zigzag varint of at most 32 bits at the head of b. n is its length in bytes, 0 if there is none.
func varint32(b []byte) (x int32, n int) {
	if len(b) > 0 && b[0] < 0x80 {
		return int32(b[0]>>1) ^ -int32(b[0]&1), 1
	}
	v, n := binary.Uvarint(b)
	if n <= 0 || n > binary.MaxVarintLen32 || v > 1<<32-1 {
		return 0, 0
	}
	return int32(uint32(v)>>1) ^ -int32(v&1), n
}

// varint64 reads a zigzag varint at the head of b. n is its length in bytes, 0 if there is none.
func varint64(b []byte) (x int64, n int) {
	x, n = binary.Varint(b)
	if n <= 0 {
		return 0, 0
	}
	return x, n
}

// bytesLen returns how many bytes appendBytes adds.
func bytesLen(p []byte) int {
	if p == nil {
		return 1
	}
	return varintLen(int64(len(p))) + len(p)
}

// appendBytes adds the length and the bytes of p; the length of nil is -1.
func appendBytes(buf, p []byte) []byte {
	if p == nil {
		return append(buf, 1)
	}
	buf = binary.AppendVarint(buf, int64(len(p)))
	return append(buf, p...)
}

// cutBytes reads what appendBytes wrote, at the head of b. The capacity of p ends with p, so that appending to it
// does not overwrite what follows.
func cutBytes(b []byte) (p, rest []byte, ok bool) {
	size, n := varint32(b)
	if n == 0 || size < -1 || int(size) > len(b)-n {
		return nil, nil, false
	}
	if size == -1 {
		return nil, b[n:], true
	}
	end := n + int(size)
	return b[n:end:end], b[end:], true
}
