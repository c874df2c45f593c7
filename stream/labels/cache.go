package labels

import (
	"math"
	"slices"
	"sort"
	"unsafe"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// Kept is what a Cache keeps of an event: a copy. It does not change, and stays valid after it was removed.
type Kept struct {
	Example  event.Example // of the event, without a label
	Features []learner.Feature
	Record   topics.Record // of the event: key, value, offset and timestamp
}

// Cache keeps the newest waiting examples, up to Limit bytes of memory. What goes beyond is dropped, the oldest first.
type Cache struct {
	Limit    int64
	segments []*segment // in the order of seq, the last one is being filled
	bytes    int64
}

// segment is what is allocated at a time. It is dropped when nothing of it waits any more.
type segment struct {
	kept     []kept
	features []learner.Feature
	text     []byte
	live     int // of kept, those not taken
}

type kept struct {
	seq   int64
	taken bool
	Kept
}

const (
	segmentExamples = 64
	segmentFeatures = 2 << 10
	segmentText     = 32 << 10
)

func newSegment(features, text int) *segment {
	return &segment{
		kept:     make([]kept, 0, segmentExamples),
		features: make([]learner.Feature, 0, max(features, segmentFeatures)),
		text:     make([]byte, 0, max(text, segmentText)),
	}
}

func (s *segment) bytes() int64 {
	return int64(cap(s.kept))*int64(unsafe.Sizeof(kept{})) + int64(cap(s.text)) +
		int64(cap(s.features))*int64(unsafe.Sizeof(learner.Feature{}))
}

func (s *segment) fits(features, text int) bool {
	return len(s.kept) < cap(s.kept) && len(s.features)+features <= cap(s.features) &&
		len(s.text)+text <= cap(s.text)
}

// Put keeps a copy of the event of seq, which is above all others.
func (c *Cache) Put(seq int64, e *event.Example, x []learner.Feature, r *topics.Record) {
	text := len(e.ID) + len(r.Key) + len(r.Value)
	if last := len(c.segments) - 1; last < 0 || !c.segments[last].fits(len(x), text) {
		c.segments = append(c.segments, newSegment(len(x), text))
		c.bytes += c.segments[last+1].bytes()
		if last >= 0 && c.segments[last].live == 0 {
			c.drop(last)
		}
	}
	c.segments[len(c.segments)-1].put(seq, e, x, r)
	for c.bytes > c.Limit && len(c.segments) > 0 {
		c.drop(0)
	}
}

func (s *segment) put(seq int64, e *event.Example, x []learner.Feature, r *topics.Record) {
	k := kept{seq: seq, Kept: Kept{Example: *e, Record: *r}}
	from := len(s.features)
	s.features = append(s.features, x...)
	k.Features = s.features[from:len(s.features):len(s.features)]
	k.Example.Start, k.Example.End = 0, len(x)
	k.Example.ID, k.Record.Key, k.Record.Value = s.copy(e.ID), s.copy(r.Key), s.copy(r.Value)
	k.Record.Headers = nil
	s.kept = append(s.kept, k)
	s.live++
}

// copy copies a text; nil stays nil.
func (s *segment) copy(b []byte) []byte {
	if b == nil {
		return nil
	}
	from := len(s.text)
	s.text = append(s.text, b...)
	return s.text[from:len(s.text):len(s.text)]
}

func (c *Cache) drop(i int) {
	c.bytes -= c.segments[i].bytes()
	c.segments = slices.Delete(c.segments, i, i+1)
}

// Oldest is the lowest seq that may be kept; everything below was dropped or taken.
func (c *Cache) Oldest() int64 {
	if len(c.segments) == 0 {
		return math.MaxInt64
	}
	return c.segments[0].kept[0].seq
}

// Bytes is the memory in use.
func (c *Cache) Bytes() int64 { return c.bytes }

// Take returns what is kept of seq, and keeps it no longer; false if it was dropped.
func (c *Cache) Take(seq int64) (k Kept, ok bool) {
	i := sort.Search(len(c.segments), func(i int) bool { return c.segments[i].kept[0].seq > seq }) - 1
	if i < 0 {
		return k, false
	}
	s := c.segments[i]
	at := sort.Search(len(s.kept), func(at int) bool { return s.kept[at].seq >= seq })
	if at == len(s.kept) || s.kept[at].seq != seq || s.kept[at].taken {
		return k, false
	}
	s.kept[at].taken = true
	k = s.kept[at].Kept
	if s.live--; s.live == 0 && i < len(c.segments)-1 {
		c.drop(i)
	}
	return k, true
}

// Keep returns a copy of an event, apart from any Cache.
func Keep(e *event.Example, x []learner.Feature, r *topics.Record) *Kept {
	k := &Kept{Example: *e, Features: slices.Clone(x), Record: topics.Record{Key: slices.Clone(r.Key),
		Value: slices.Clone(r.Value), Offset: r.Offset, Timestamp: r.Timestamp}}
	k.Example.ID, k.Example.Start, k.Example.End = slices.Clone(e.ID), 0, len(x)
	return k
}

// Bytes is about the memory of a Kept.
func (k *Kept) Bytes() int64 {
	return int64(unsafe.Sizeof(*k)) + int64(len(k.Features))*int64(unsafe.Sizeof(learner.Feature{})) +
		int64(len(k.Example.ID)+len(k.Record.Key)+len(k.Record.Value))
}
