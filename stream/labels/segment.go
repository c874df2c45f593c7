package labels

import (
	"encoding/binary"
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
	data     []byte            // of each its numbers if it is named, its id, its key, and its value if that is kept
	features []learner.Feature // of the entries that are not named
	names    *names            // those of most examples
	whole    bool              // it has the values of all records
	bare     bool              // the features were dropped
	unnamed  int               // entries
}

// sampled is how many examples there are to one whose record's value is kept, where the features are enough to learn.
const sampled = 16

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
	at             uint32 // where its data begin
	id, key, value int32  // bytes of each; absent if there is none
	from, features uint32 // in the segment's features, if it is not named
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
	n := segmentBytes + int64(cap(s.entries))*entryBytes + int64(cap(s.features))*featureBytes + int64(cap(s.data))
	if s.names != nil {
		n += s.names.bytes()
	}
	return n
}

// full reports whether a segment has so many bytes, or cannot have seq.
func (s *segment) full(bytes, seq int64) bool {
	return seq-s.first >= segmentSeqs ||
		int64(len(s.entries))*entryBytes+int64(len(s.features))*featureBytes+int64(len(s.data)) >= bytes
}

// reserve makes room in an empty segment for as much as another one holds.
func (s *segment) reserve(other *segment) {
	s.entries = roomFor(s.entries, len(other.entries))
	s.features = roomFor(s.features, len(other.features))
	s.data = roomFor(s.data, len(other.data))
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
	s.data = larger(s.data, other.data)
}

// larger returns the one with more room, emptied.
func larger[T any](a, b []T) []T {
	if cap(b) > cap(a) {
		return b[:0]
	}
	return a[:0]
}

func (s *segment) put(seq int64, e *event.Example, x []learner.Feature, r *topics.Record) {
	k := cached{offset: r.Offset, time: r.Timestamp, weight: e.Weight, idIsJSON: e.IDIsJSON, value: absent,
		at: uint32(len(s.data)), from: uint32(len(s.features)), features: uint32(len(x))}
	switch {
	case s.bare:
	case s.names.are(e, x):
		k.named, s.data = true, appendValues(s.data, x)
	default:
		s.unnamed++
		s.features = append(s.features, x...)
	}
	k.id, k.key = s.add(e.ID), s.add(r.Key)
	if s.whole || !k.named || seq%sampled == 0 {
		k.value = s.add(r.Value)
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
	s.data = append(s.data, b...)
	return int32(len(b))
}

// appendValues appends the values of features.
func appendValues(dst []byte, x []learner.Feature) []byte {
	n := len(dst)
	dst = slices.Grow(dst, len(x)*valueBytes)[:n+len(x)*valueBytes]
	for i, to := 0, dst[n:]; i < len(x) && len(to) >= valueBytes; i, to = i+1, to[valueBytes:] {
		binary.LittleEndian.PutUint64(to, math.Float64bits(x[i].Value))
	}
	return dst
}

// setValues sets the values of features to those that appendValues appended.
func setValues(x []learner.Feature, from []byte) {
	for i := 0; i < len(x) && len(from) >= valueBytes; i, from = i+1, from[valueBytes:] {
		x[i].Value = math.Float64frombits(binary.LittleEndian.Uint64(from))
	}
}

// dropFeatures drops the features of a whole segment, and returns a segment that has their memory.
func (s *segment) dropFeatures() *segment {
	dropped, size := &segment{features: s.features, data: s.data}, uint32(0)
	for i := range s.entries {
		from, to := s.textOf(&s.entries[i])
		size += to - from
	}
	text := make([]byte, 0, size)
	for i := range s.entries {
		e := &s.entries[i]
		from, to := s.textOf(e)
		e.at, e.named = uint32(len(text)), false
		text = append(text, s.data[from:to]...)
	}
	s.data, s.features, s.names, s.bare = text, nil, nil, true
	return dropped
}

// textOf returns where the texts of an entry begin and end.
func (s *segment) textOf(e *cached) (from, to uint32) {
	if from = e.at; e.named {
		from += e.features * valueBytes
	}
	return from, from + uint32(max(e.id, 0)+max(e.key, 0)+max(e.value, 0))
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
	at, _ := s.textOf(e)
	k.Example.ID, at = s.slice(at, e.id)
	k.Record.Key, at = s.slice(at, e.key)
	k.Record.Value, _ = s.slice(at, e.value)
	switch {
	case s.bare:
		k.Features, k.names = k.Features[:0], nil
		return
	case !e.named:
		k.Features, k.names = append(k.Features[:0], s.features[e.from:e.from+e.features]...), nil
	default:
		if k.names != s.names {
			k.Features, k.names = append(k.Features[:0], s.names.features...), s.names
		}
		k.Example.Names = s.names.number
		setValues(k.Features, s.data[e.at:])
	}
	k.Example.End = int(e.features)
}

// slice returns a text of so many bytes, and where the next one begins.
func (s *segment) slice(from uint32, n int32) ([]byte, uint32) {
	if n == absent {
		return nil, from
	}
	to := from + uint32(n)
	return s.data[from:to:to], to
}

// warm reads the memory of an entry, but for its record's value.
func (s *segment) warm(i int) (read byte) {
	const line = 64
	e := &s.entries[i]
	_, to := s.textOf(e)
	if e.value > 0 {
		to -= uint32(e.value)
	}
	for at := e.at; at < to; at += line {
		read += s.data[at]
	}
	return read
}
