package schema

import (
	"encoding/binary"
	"fmt"

	"rosenblatt/stream/recordbatch"
)

// Header is the key of the header that has the frame of a record's value, where the value itself has none.
const Header = "__value_schema_id"

// maxIndexes is how many message indexes a frame has at most: so deep are messages nested.
const maxIndexes = 32

// noIndexes ends errors of message indexes that cannot be: the first bytes of a message look like such ones.
const noIndexes = "; does the writer leave the place of the message out, as @kafkajs/confluent-schema-registry does?"

// Frame says which schema the value of a record was written with.
type Frame struct {
	ID       ID
	InHeader bool // the frame is in the header, and all of the value is data
	Bytes    int  // of the frame within the value, up to its data
	// Indexes is empty but for Protobuf: the place of the message among those of the file, then among those nested in
	// the one before.
	Indexes []int64
}

// Read reads the frame of a record, with message indexes for Protobuf. It returns what is wrong with it, or an empty
// text. It uses the memory of the indexes again.
func (f *Frame) Read(r *recordbatch.Record, protobuf bool) (wrong string) {
	*f = Frame{Indexes: f.Indexes[:0]}
	b, ok := recordbatch.LastHeader(r.Headers, Header)
	f.InHeader = ok
	if !ok {
		b = r.Value
	}
	id, n := cutID(b)
	if n == 0 {
		return f.looksLike(b)
	}
	f.ID = id
	if protobuf {
		more, fault := f.readIndexes(b[n:])
		if fault != "" {
			return fault + noIndexes + f.Hint(r.Value)
		}
		n += more
	}
	if !ok {
		f.Bytes = n
	} else if n < len(b) {
		return fmt.Sprintf("the header %s has %d bytes, and the id of a schema ends after %d", Header, len(b), n)
	}
	return ""
}

// readIndexes reads the message indexes that b begins with, and returns their bytes.
func (f *Frame) readIndexes(b []byte) (n int, wrong string) {
	count, n := binary.Varint(b)
	switch {
	case n <= 0:
		return 0, "the message indexes behind the id of the schema are cut off"
	case count < 0 || count > maxIndexes:
		return 0, fmt.Sprintf("%d message indexes are behind the id of the schema; 0 to %d can be", count, maxIndexes)
	case count == 0:
		f.Indexes = append(f.Indexes, 0)
		return n, ""
	}
	for range count {
		index, more := binary.Varint(b[n:])
		if more <= 0 {
			return 0, "the message indexes behind the id of the schema are cut off"
		}
		if index < 0 {
			return 0, fmt.Sprintf("a message index is %d; places are counted from 0", index)
		}
		f.Indexes = append(f.Indexes, index)
		n += more
	}
	return n, ""
}

// JSONFrame returns how many bytes of a value are a frame before json: its first byte is that of a frame, and behind
// the id and blanks an object begins. Else it is 0.
func JSONFrame(value []byte) int {
	_, n := cutID(value)
	if n == 0 {
		return 0
	}
	for i := n; i < len(value); i++ {
		switch value[i] {
		case ' ', '\t', '\n', '\r':
		case '{':
			return n
		default:
			return 0
		}
	}
	return 0
}
