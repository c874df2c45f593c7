package labels

import (
	"math"
	"slices"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// Kept is what a Cache keeps of an event, without its label.
type Kept struct {
	Example  event.Example
	Features []learner.Feature // none if they were dropped: the record has to be decoded again
	Record   topics.Record     // without a value and headers where those are not kept

	names *names // of the features, if the cache has them
}

// Named returns a record whose features have the names of these: its own, or another.
func (k *Kept) Named() *topics.Record {
	if k.Record.Value == nil && k.names != nil {
		return &k.names.record
	}
	return &k.Record
}

// Cache keeps the newest waiting examples in up to Limit bytes. Of those whose features have the names of most, it
// keeps few records' values once it has an eighth of that: the features take less. Beyond the limit the features of the
// oldest are dropped where their records still tell them, or else the oldest examples.
type Cache struct {
	Limit int64
	// Reuse has the texts that Get returns valid only until the next Put, which uses the memory of what was removed
	// again.
	Reuse bool
	// Headers says that events cannot be decoded again without the headers of their records: those are kept, too.
	Headers bool

	segments   []*segment // in the order of seq, the last one is being filled
	firsts     []int64    // the lowest seq of each
	bare       int        // the first segments, whose features were dropped
	bytes      int64
	names      *names     // of the first example of the last segment
	spare      []*segment // empty ones, whose memory is used again
	spareBytes int64      // of their memory
	spots      [256]spot
	sink       byte // keeps the compiler from removing the prefetch
}

// spot is the segment where an example was searched: most are asked for several times.
type spot struct {
	seq int64
	of  *segment // nil: none
}

// Put keeps a copy of the event of seq, which is above all others.
func (c *Cache) Put(seq int64, e *event.Example, x []learner.Feature, r *topics.Record) {
	last := len(c.segments) - 1
	if last < 0 || c.segments[last].full(c.segmentBytes(), seq) {
		if last++; last > 0 && c.segments[last-1].kept.empty() {
			last--
			c.drop(last)
		}
		c.segments, c.firsts = append(c.segments, c.newSegment(seq, e, x, r)), append(c.firsts, seq)
		c.bytes += c.segments[last].bytes()
	}
	s := c.segments[last]
	c.bytes -= s.bytes()
	s.put(seq, e, x, r)
	for c.bytes += s.bytes(); c.bytes > c.Limit && len(c.segments) > 0; {
		c.shrink()
	}
}

// segmentBytes is about the size of a segment: few, since each is found by its place among all, and dropped as a whole.
func (c *Cache) segmentBytes() int64 { return min(max(c.Limit/64, 4<<10), 256<<10) }

// newSegment returns a segment for an example, with memory for as much as the one before it holds.
func (c *Cache) newSegment(seq int64, e *event.Example, x []learner.Feature, r *topics.Record) *segment {
	s := c.takeSpare()
	s.headers = c.Headers
	s.whole = c.bytes < c.Limit/8
	if len(c.segments) > 0 {
		last := c.segments[len(c.segments)-1]
		s.reserve(last)
		s.whole = s.whole || last.unnamed > len(last.starts)/16
	}
	if c.names == nil || !c.names.are(e, x) {
		c.names = newNames(e, x, r)
	}
	s.first, s.names = seq, c.names
	return s
}

// shrink drops the features of the oldest segment that has some, if that has all records, or else the oldest segment.
func (c *Cache) shrink() {
	if c.bare == len(c.segments) || !c.segments[c.bare].whole {
		c.drop(0)
		return
	}
	s := c.segments[c.bare]
	c.bytes -= s.bytes()
	c.reclaim(s.dropFeatures())
	c.bytes += s.bytes()
	c.bare++
}

func (c *Cache) drop(i int) {
	clear(c.spots[:])
	c.bytes -= c.segments[i].bytes()
	c.reclaim(c.segments[i])
	c.segments, c.firsts = slices.Delete(c.segments, i, i+1), slices.Delete(c.firsts, i, i+1)
	if i < c.bare {
		c.bare--
	}
}

// reclaim keeps the memory of a segment that is not used any more for others: labels come in chunks, so many are
// dropped at a time. One is always kept, more while they have up to an eighth of the memory in use.
func (c *Cache) reclaim(s *segment) {
	if !c.Reuse {
		return
	}
	s.reset()
	c.spare = append(c.spare, s)
	for c.spareBytes += s.bytes(); len(c.spare) > 1 && c.spareBytes > c.bytes/8; {
		c.takeSpare()
	}
}

// takeSpare returns an empty segment, with memory if there is some to be used again.
func (c *Cache) takeSpare() *segment {
	last := len(c.spare) - 1
	if last < 0 {
		return &segment{}
	}
	s := c.spare[last]
	c.spare = slices.Delete(c.spare, last, last+1)
	c.spareBytes -= s.bytes()
	return s
}

// Oldest is the lowest seq that may be kept; everything below was dropped or removed.
func (c *Cache) Oldest() int64 {
	if len(c.segments) == 0 {
		return math.MaxInt64
	}
	return c.firsts[0]
}

// Bytes is the memory in use.
func (c *Cache) Bytes() int64 { return c.bytes }

// search returns the last of ascending firsts that is not above seq, -1 if there is none.
func search(firsts []int64, seq int64) int {
	from, n := -1, len(firsts) // firsts[from] is not above seq, and firsts[from+n+1] is
	for n > 0 {
		half := (n + 1) / 2
		if firsts[from+half] <= seq {
			from += half
		}
		n -= half
	}
	return from
}

// segmentOf returns the segment that may hold seq, nil if there is none.
func (c *Cache) segmentOf(seq int64) *segment {
	p := &c.spots[uint64(seq)%uint64(len(c.spots))]
	if p.of == nil || p.seq != seq {
		i := search(c.firsts, seq)
		if i < 0 {
			return nil
		}
		*p = spot{seq, c.segments[i]}
	}
	return p.of
}

// Has reports whether seq is kept.
func (c *Cache) Has(seq int64) bool {
	s := c.segmentOf(seq)
	return s != nil && s.find(seq) >= 0
}

// Get fills in what is kept of seq, in the memory of k.Features; false if it was dropped or removed.
func (c *Cache) Get(seq int64, k *Kept) bool {
	s := c.segmentOf(seq)
	if s == nil {
		return false
	}
	i := s.find(seq)
	if i < 0 {
		return false
	}
	s.get(i, k)
	return true
}

// Remove keeps seq no longer.
func (c *Cache) Remove(seq int64) {
	s := c.segmentOf(seq)
	if s == nil || s.find(seq) < 0 {
		return
	}
	if s.kept.remove(s.number(seq)); !s.kept.empty() {
		return
	}
	if i := search(c.firsts, seq); i < len(c.segments)-1 {
		c.drop(i)
	}
}

// Take is Get and Remove.
func (c *Cache) Take(seq int64) (k Kept, ok bool) {
	if ok = c.Get(seq, &k); ok {
		c.Remove(seq)
	}
	return k, ok
}

// Warm reads what Get of these will read: a processor waits for the memory of many at once, and not for one after the
// other.
func (c *Cache) Warm(seqs []int64) {
	var segments [warmed]*segment
	var starts [warmed]uint32
	for len(seqs) > 0 {
		n := min(len(seqs), warmed)
		// Each loop reads what the one before has found: with few instructions between them, many reads are under way.
		for i, seq := range seqs[:n] {
			segments[i] = c.segmentOf(seq)
		}
		for i, seq := range seqs[:n] {
			s := segments[i]
			if s == nil {
				continue
			}
			if at := s.find(seq); at >= 0 {
				starts[i] = s.starts[at]
			} else {
				segments[i] = nil
			}
		}
		for i, start := range starts[:n] {
			if segments[i] != nil {
				c.sink += segments[i].warm(start)
			}
		}
		seqs = seqs[n:]
	}
}

// warmed is how many examples are read at a time.
const warmed = 64
