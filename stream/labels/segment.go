package labels

import (
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// segment is a run of examples in a Cache. Its arrays have no pointers, so the garbage collector need not read them.
type segment struct {
	first    int64
	had      seqSet // the seqs of the entries
	kept     seqSet // those that were not removed
	entries  []cached
	features []learner.Feature // of those with other names than names
	values   []float64         // of the features of those with the names
	text     []byte            // of each entry its id, its key and its value
	names    *names            // those of most examples
	bare     bool              // the features were dropped
}

// segmentSeqs is how many consecutive seqs a segment has at most.
const segmentSeqs = 256

// seqSet is a set of the seqs of a segment, as numbers from its first one on.
type seqSet [segmentSeqs / 64]uint64

func (s *seqSet) has(i uint8) bool { return s[i/64]>>(i%64)&1 != 0 }
func (s *seqSet) add(i uint8)      { s[i/64] |= 1 << (i % 64) }
func (s *seqSet) remove(i uint8)   { s[i/64] &^= 1 << (i % 64) }
func (s *seqSet) empty() bool      { return *s == seqSet{} }

// below is how many are below i.
func (s *seqSet) below(i uint8) int {
	n := bits.OnesCount64(s[i/64] & (1<<(i%64) - 1))
	for _, word := range s[:i/64] {
		n += bits.OnesCount64(word)
	}
	return n
}

// cached is an example in a segment.
type cached struct {
	offset, time   int64 // of the record
	weight         float64
	text           uint32 // where its texts begin
	id, key, value int32  // bytes of each; absent if there is none
	from, features uint32 // in features, or in values
	named          bool   // its features have the names of the segment
	idIsJSON       bool
}

const absent = -1

const (
	segmentBytes = int64(unsafe.Sizeof(segment{}))
	entryBytes   = int64(unsafe.Sizeof(cached{}))
	featureBytes = int64(unsafe.Sizeof(learner.Feature{}))
	valueBytes   = 8
)

// bytes is the memory of a segment.
func (s *segment) bytes() int64 {
	n := segmentBytes + int64(cap(s.entries))*entryBytes + int64(cap(s.values))*valueBytes +
		int64(cap(s.features))*featureBytes + int64(cap(s.text))
	if s.names != nil {
		n += int64(len(s.names.features)) * featureBytes
	}
	return n
}

// full reports whether a segment has so many bytes, or cannot have seq.
func (s *segment) full(bytes, seq int64) bool {
	return seq-s.first >= segmentSeqs ||
		int64(len(s.entries))*entryBytes+int64(len(s.features))*featureBytes+int64(len(s.values))*valueBytes+
			int64(len(s.text)) >= bytes
}

// reserve makes room in an empty segment for as much as another one holds.
func (s *segment) reserve(other *segment) {
	s.entries = roomFor(s.entries, len(other.entries))
	s.features = roomFor(s.features, len(other.features))
	s.values = roomFor(s.values, len(other.values))
	s.text = roomFor(s.text, len(other.text))
}

// roomFor returns an empty slice with room for n elements, and a few more.
func roomFor[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, 0, n+n/32)
	}
	return s[:0]
}

// reclaim takes the arrays of a segment that is not used any more, where they are larger.
func (s *segment) reclaim(other *segment) {
	s.entries = larger(s.entries, other.entries)
	s.features = larger(s.features, other.features)
	s.values = larger(s.values, other.values)
	s.text = larger(s.text, other.text)
}

// larger returns the one with more room, emptied.
func larger[T any](a, b []T) []T {
	if cap(b) > cap(a) {
		return b[:0]
	}
	return a[:0]
}

func (s *segment) put(seq int64, e *event.Example, x []learner.Feature, r *topics.Record) {
	k := cached{offset: r.Offset, time: r.Timestamp, weight: e.Weight, idIsJSON: e.IDIsJSON,
		text: uint32(len(s.text)), features: uint32(len(x))}
	k.id, k.key, k.value = s.add(e.ID), s.add(r.Key), s.add(r.Value)
	if !s.bare {
		s.putFeatures(&k, e, x)
	}
	s.entries = append(s.entries, k)
	s.had.add(s.number(seq))
	s.kept.add(s.number(seq))
}

// add copies a text.
func (s *segment) add(b []byte) int32 {
	if b == nil {
		return absent
	}
	s.text = append(s.text, b...)
	return int32(len(b))
}

// putFeatures keeps the values alone where the names are those of the segment.
func (s *segment) putFeatures(k *cached, e *event.Example, x []learner.Feature) {
	if k.named = s.names.are(e, x); !k.named {
		k.from = uint32(len(s.features))
		s.features = append(s.features, x...)
		return
	}
	n := len(s.values)
	k.from = uint32(n)
	s.values = slices.Grow(s.values, len(x))[:n+len(x)]
	for i, values := 0, s.values[n:]; i < len(values); i++ {
		values[i] = x[i].Value
	}
}

// dropFeatures drops the features, and returns a segment that has them.
func (s *segment) dropFeatures() *segment {
	dropped := &segment{features: s.features, values: s.values}
	s.features, s.names, s.values, s.bare = nil, nil, nil, true
	return dropped
}

// find returns the number of the entry of seq, -1 if there is none or it was removed. The first seq is not above it.
func (s *segment) find(seq int64) int {
	if seq-s.first >= segmentSeqs || !s.kept.has(s.number(seq)) {
		return -1
	}
	return s.had.below(s.number(seq))
}

// number is that of a seq in a seqSet.
func (s *segment) number(seq int64) uint8 { return uint8(seq - s.first) }

// get fills in what is kept.
func (s *segment) get(e *cached, k *Kept) {
	k.Example = event.Example{Weight: e.weight, IDIsJSON: e.idIsJSON}
	k.Record = topics.Record{Offset: e.offset, Timestamp: e.time}
	at := e.text
	k.Example.ID, at = s.slice(at, e.id)
	k.Record.Key, at = s.slice(at, e.key)
	k.Record.Value, _ = s.slice(at, e.value)
	if k.Features = k.Features[:0]; s.bare {
		return
	}
	k.Example.End = int(e.features)
	to := e.from + e.features
	if !e.named {
		k.Features = append(k.Features, s.features[e.from:to]...)
		return
	}
	k.Example.Names = s.names.number
	k.Features = append(k.Features, s.names.features...)
	for i, v := range s.values[e.from:to] {
		k.Features[i].Value = v
	}
}

// slice returns a text of so many bytes, and where the next one begins.
func (s *segment) slice(from uint32, n int32) ([]byte, uint32) {
	if n == absent {
		return nil, from
	}
	to := from + uint32(n)
	return s.text[from:to:to], to
}

// warm reads the memory of an entry, but for its record.
func (s *segment) warm(i int) (read byte) {
	e := &s.entries[i]
	if e.id > 0 {
		read += s.text[e.text]
	}
	const line = 8
	if e.named && !s.bare {
		for i := e.from; i < e.from+e.features; i += line {
			read += byte(math.Float64bits(s.values[i]))
		}
	}
	return read
}
