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
	first   int64
	had     seqSet   // the seqs of the entries
	kept    seqSet   // those that were not removed
	starts  []uint32 // of the entries, in data
	data    []byte   // of each a head, its features, its id, its key, and its value if that is kept
	names   *names   // those of most examples
	whole   bool     // it has the values of all records
	headers bool     // and with a value the headers
	bare    bool     // the features were dropped
	unnamed int      // entries
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

const (
	segmentBytes = int64(unsafe.Sizeof(segment{}))
	startBytes   = int64(unsafe.Sizeof(uint32(0)))
	featureBytes = int64(unsafe.Sizeof(learner.Feature{}))
	valueBytes   = 8
	headersBytes = 4  // of the length of headers
	line         = 64 // of a processor's cache
)

// bytes is the memory of a segment.
func (s *segment) bytes() int64 {
	n := segmentBytes + int64(cap(s.starts))*startBytes + int64(cap(s.data))
	if s.names != nil {
		n += s.names.bytes()
	}
	return n
}

// full reports whether a segment has so many bytes, or cannot have seq.
func (s *segment) full(bytes, seq int64) bool {
	return seq-s.first >= segmentSeqs || int64(len(s.starts))*startBytes+int64(len(s.data)) >= bytes
}

// reset empties a segment. It keeps its memory.
func (s *segment) reset() { *s = segment{starts: s.starts[:0], data: s.data[:0]} }

// reserve makes room in an empty segment for as much as another one holds.
func (s *segment) reserve(other *segment) {
	s.starts = roomFor(s.starts, len(other.starts))
	s.data = roomFor(s.data, len(other.data))
}

// roomFor returns an empty slice with room for n elements, and a few more.
func roomFor[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, 0, n+n/32)
	}
	return s[:0]
}

func (s *segment) put(seq int64, e *event.Example, x []learner.Feature, r *topics.Record) {
	h := head{offset: r.Offset, time: r.Timestamp, weight: e.Weight, idIsJSON: e.IDIsJSON, features: uint32(len(x)),
		id: size(e.ID), key: size(r.Key), value: size(r.Value)}
	switch {
	case s.bare:
		h.features = 0
	case s.names.are(e, x):
		h.named = true
	default:
		s.unnamed++
	}
	if !s.whole && h.named && seq%sampled != 0 {
		h.value = absent
	}
	if h.headers = s.headers && h.value != absent && r.Headers != nil; h.headers {
		h.value += int32(len(r.Headers)) + headersBytes
	}
	s.starts = append(s.starts, uint32(len(s.data)))
	s.data = h.append(s.data)
	switch {
	case h.named:
		s.data = appendValues(s.data, x)
	case h.features > 0:
		s.data = appendFeatures(s.data, x)
	}
	s.data = append(append(s.data, e.ID...), r.Key...)
	if h.value != absent {
		s.data = append(s.data, r.Value...)
	}
	if h.headers {
		s.data = le.AppendUint32(append(s.data, r.Headers...), uint32(len(r.Headers)))
	}
	s.had.add(s.number(seq))
	s.kept.add(s.number(seq))
}

var le = binary.LittleEndian

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

func appendFeatures(dst []byte, x []learner.Feature) []byte {
	for i := range x {
		dst = le.AppendUint32(dst, x[i].Slot)
		dst = le.AppendUint32(dst, uint32(x[i].Print)|uint32(x[i].Kind)<<16)
		dst = le.AppendUint64(dst, math.Float64bits(x[i].Value))
	}
	return dst
}

func getFeatures(dst []learner.Feature, from []byte, n int) []learner.Feature {
	for ; n > 0; n, from = n-1, from[featureBytes:] {
		what := le.Uint32(from[4:])
		dst = append(dst, learner.Feature{Slot: le.Uint32(from), Print: uint16(what), Kind: learner.Kind(what >> 16),
			Value: math.Float64frombits(le.Uint64(from[8:]))})
	}
	return dst
}

// dropFeatures drops the features of a segment with all records, and returns one that has their memory.
func (s *segment) dropFeatures() *segment {
	dropped, size := &segment{data: s.data[:0]}, 0
	for _, at := range s.starts {
		h := readHead(s.data[at:])
		size += headBytes + h.texts()
	}
	data := make([]byte, 0, size)
	for i, at := range s.starts {
		h := readHead(s.data[at:])
		text := s.data[int(at)+headBytes+h.featuresBytes():]
		h.features, h.named = 0, false
		s.starts[i] = uint32(len(data))
		data = append(h.append(data), text[:h.texts()]...)
	}
	s.data, s.names, s.bare = data, nil, true
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

// get fills in what is kept of an entry.
func (s *segment) get(i int, k *Kept) {
	from := s.data[s.starts[i]:]
	h := readHead(from)
	from = from[headBytes:]
	text := from[h.featuresBytes():]
	k.Example = event.Example{Weight: h.weight, IDIsJSON: h.idIsJSON, End: int(h.features)}
	k.Record = topics.Record{Offset: h.offset, Timestamp: h.time}
	k.Example.ID, text = cut(text, h.id)
	k.Record.Key, text = cut(text, h.key)
	k.Record.Value, _ = cut(text, h.value)
	if h.headers {
		k.Record.Value, k.Record.Headers = cutHeaders(k.Record.Value)
	}
	if !h.named {
		k.Features, k.names = getFeatures(k.Features[:0], from, int(h.features)), nil
		return
	}
	if k.names != s.names {
		k.Features, k.names = append(k.Features[:0], s.names.features...), s.names
	}
	k.Example.Names = s.names.number
	setValues(k.Features, from)
}

// warm reads the memory of an entry, but for most of its record's value.
func (s *segment) warm(start uint32) (read byte) {
	for at := int(start); at < min(int(start)+8*line, len(s.data)); at += line {
		read += s.data[at]
	}
	return read
}
