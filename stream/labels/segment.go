package labels

import (
	"math"
	"sort"
	"unsafe"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// segment is a run of examples in a Cache. Its arrays have no pointers, so the garbage collector need not read them.
type segment struct {
	entries  []cached
	runs     []seqRun
	features []learner.Feature // of those with other names than names
	names    []learner.Feature // those of most examples, whatever their values
	values   []float64         // of the features of those with these names
	text     []byte            // of each entry its id, its key and its value
	live     int               // entries that were not removed
	bare     bool              // the features were dropped
}

// seqRun is where entries of consecutive seqs begin.
type seqRun struct {
	seq int64
	at  int
}

// cached is an example in a segment.
type cached struct {
	offset, time   int64 // of the record
	weight         float64
	list           uint64 // Example.Names
	text           uint32 // where its texts begin
	id, key, value int32  // bytes of each; absent if there is none
	from, features uint32 // in features, or in values
	named          bool   // its features have the names of the segment
	idIsJSON       bool
	removed        bool
}

const absent = -1

const (
	entryBytes   = int64(unsafe.Sizeof(cached{}))
	runBytes     = int64(unsafe.Sizeof(seqRun{}))
	featureBytes = int64(unsafe.Sizeof(learner.Feature{}))
	valueBytes   = 8
)

// bytes is the memory of a segment.
func (s *segment) bytes() int64 {
	return int64(cap(s.entries))*entryBytes + int64(cap(s.runs))*runBytes + int64(cap(s.values))*valueBytes +
		int64(cap(s.features)+cap(s.names))*featureBytes + int64(cap(s.text))
}

// full reports whether a segment has so many bytes.
func (s *segment) full(bytes int64) bool {
	return int64(len(s.entries))*entryBytes+int64(len(s.features))*featureBytes+int64(len(s.values))*valueBytes+
		int64(len(s.text)) >= bytes
}

// reserve makes room in an empty segment for as much as another one holds.
func (s *segment) reserve(other *segment) {
	s.entries, s.runs = roomFor(s.entries, len(other.entries)), roomFor(s.runs, len(other.runs))
	s.features, s.names = roomFor(s.features, len(other.features)), roomFor(s.names, len(other.names))
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
	s.runs = larger(s.runs, other.runs)
	s.features, s.names = larger(s.features, other.features), larger(s.names, other.names)
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
	k := cached{offset: r.Offset, time: r.Timestamp, weight: e.Weight, list: e.Names, idIsJSON: e.IDIsJSON,
		text: uint32(len(s.text)), features: uint32(len(x))}
	k.id, k.key, k.value = s.add(e.ID), s.add(r.Key), s.add(r.Value)
	if !s.bare {
		s.putFeatures(&k, x)
	}
	n := len(s.entries)
	if last := len(s.runs) - 1; last < 0 || seq-s.runs[last].seq != int64(n-s.runs[last].at) {
		s.runs = append(s.runs, seqRun{seq, n})
	}
	s.entries = append(s.entries, k)
	s.live++
}

// add copies a text.
func (s *segment) add(b []byte) int32 {
	if b == nil {
		return absent
	}
	s.text = append(s.text, b...)
	return int32(len(b))
}

// putFeatures keeps the values alone where the names are those of the first example.
func (s *segment) putFeatures(k *cached, x []learner.Feature) {
	if len(s.entries) == 0 {
		s.names = append(s.names, x...)
	}
	if k.named = sameNames(s.names, x); !k.named {
		k.from = uint32(len(s.features))
		s.features = append(s.features, x...)
		return
	}
	k.from = uint32(len(s.values))
	for i := range x {
		s.values = append(s.values, x[i].Value)
	}
}

// sameNames reports whether features differ in their values alone.
func sameNames(a, b []learner.Feature) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range b {
		if a[i].Slot != b[i].Slot || a[i].Print != b[i].Print || a[i].Kind != b[i].Kind {
			return false
		}
	}
	return true
}

// dropFeatures drops the features, and returns a segment that has them.
func (s *segment) dropFeatures() *segment {
	dropped := &segment{features: s.features, names: s.names, values: s.values}
	s.features, s.names, s.values, s.bare = nil, nil, nil, true
	return dropped
}

// find returns the number of the entry of seq, -1 if there is none. The lowest seq is not above it.
func (s *segment) find(seq int64) int {
	i := sort.Search(len(s.runs), func(i int) bool { return s.runs[i].seq > seq })
	end := len(s.entries)
	if i < len(s.runs) {
		end = s.runs[i].at
	}
	run := &s.runs[i-1]
	if at := int64(run.at) + seq - run.seq; at < int64(end) {
		return int(at)
	}
	return -1
}

// get fills in what is kept.
func (s *segment) get(e *cached, k *Kept) {
	k.Example = event.Example{Weight: e.weight, Names: e.list, IDIsJSON: e.idIsJSON}
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
	k.Features = append(k.Features, s.names...)
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
func (s *segment) warm(e *cached) (read byte) {
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
