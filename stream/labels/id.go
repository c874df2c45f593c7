package labels

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// ID identifies an event by a hash of its id. The zero value stands for no id.
type ID [12]byte

// NewID hashes an id in the form of event.AppendIDKey.
func NewID(key []byte) (id ID) {
	binary.LittleEndian.PutUint64(id[:], xxhash.Sum64(key))
	var second xxhash.Digest
	second.ResetWithSeed(secondSeed)
	_, _ = second.Write(key) // it never fails
	binary.LittleEndian.PutUint32(id[8:], uint32(second.Sum64()))
	if id == (ID{}) {
		id[0] = 1
	}
	return id
}

// Identifier finds the ids of events and label records. Only one goroutine at a time may use it.
type Identifier struct {
	ByKey bool // by the keys of the records instead of the ids
	key   []byte
	by    event.Example
}

// ID returns the id of an event or of a label record, the zero value if it has none.
func (x *Identifier) ID(e *event.Example, r *topics.Record) (id ID) {
	if x.by = (event.Example{ID: e.ID, IDIsJSON: e.IDIsJSON}); x.ByKey {
		x.by = event.Example{ID: r.Key}
	}
	if x.by.ID == nil {
		return id
	}
	x.key = event.AppendIDKey(x.key[:0], &x.by)
	return NewID(x.key)
}

// NoteKind notes of which kind the id of a record is.
func (x *Identifier) NoteKind(k *IDKinds, e *event.Example, r *topics.Record) {
	if x.ByKey {
		k.AddKey(r.Key)
		return
	}
	k.Add(e)
}

// Append appends the ids of records, none for those that are rejected or skipped.
func (x *Identifier) Append(dst []ID, examples []event.Example, records []topics.Record) []ID {
	for i := range records {
		var id ID
		if e := &examples[i]; e.Rejected == nil && !e.Skip {
			id = x.ID(e, &records[i])
		}
		dst = append(dst, id)
	}
	return dst
}

// secondSeed makes the second hash independent of the first. It is part of the format of checkpoints.
const secondSeed = 0x9e3779b97f4a7c15

// hash is the part of an id that the index uses.
func (id *ID) hash() uint64 { return binary.LittleEndian.Uint64(id[:]) }

// Label is what is remembered of a label, to tell a repeat from a conflict. The zero value is no label.
type Label uint32

// labelBits is the size of a Label.
const labelBits = 29

// LabelOf returns the label of an example, or of a label record.
func LabelOf(e *event.Example) Label {
	switch {
	case e.Class != nil:
		return 1<<(labelBits-1) | Label(xxhash.Sum64(e.Class)>>(64-labelBits+1))
	case e.Label > 0:
		return 2
	case e.Label < 0:
		return 1
	}
	return 0
}
