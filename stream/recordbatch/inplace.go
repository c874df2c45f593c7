package recordbatch

import "encoding/binary"

// opened is a record whose value is being written.
type opened struct {
	timestamp int64
	key       []byte
	start     int // where it begins in the batch's memory
	value     int // where its value begins
}

// Start begins a record and returns the batch up to the record's value. The caller appends the value and passes the
// result to Finish, without using b in between. A nil key is null.
func (b *Builder) Start(timestampMS int64, key []byte) []byte {
	buf, delta := b.start(0), int64(0)
	if b.count > 0 {
		delta = timestampMS - b.first
	}
	start := len(buf)
	buf = append(buf, 0, 0, 0) // two bytes for its length, and the attributes
	buf = binary.AppendVarint(buf, delta)
	buf = binary.AppendVarint(buf, int64(b.count))
	buf = append(appendBytes(buf, key), 0, 0) // two bytes for the value's length
	b.opened = opened{timestampMS, key, start, len(buf)}
	return buf
}

// Finish adds the record that Start began. It returns false, and adds nothing, if the batch would exceed Limit, or
// Single if it is the first record.
func (b *Builder) Finish(buf []byte) bool {
	r := &b.opened
	value := buf[r.value:]
	body := len(buf) - r.start - 2 + 1 // with the count of headers
	b.buf = buf[:r.start]              // it may have grown
	if min(len(value), body) < 1<<6 || max(len(value), body) >= 1<<13 {
		b.value = append(append(b.value[:0], 0), value...) // the lengths do not have two bytes
		return b.Append(r.timestamp, r.key, b.value[1:])
	}
	if body+2 > b.limit()+b.free-r.start {
		return false
	}
	putVarint2(buf[r.start:], body)
	putVarint2(buf[r.value-2:], len(value))
	b.enter(r.timestamp)
	b.buf = append(buf, 0) // no headers
	b.count++
	return true
}

// putVarint2 writes the zigzag varint of x, 64 to 8191.
func putVarint2(b []byte, x int) { b[0], b[1] = byte(x<<1)|0x80, byte(x>>6) }
