// Package silence counts for how long records have waited that nobody handles, in looks at the brokers.
//
// What counts is time between looks that succeeded. So neither another machine's clock nor a record's timestamp
// matters. A process that was stopped, starved or cut off, or that meets the same outage as the writer, counts nothing,
// or next to nothing.
package silence

import "time"

const (
	// mostOfALook is how much of the time since the look before a look counts at most.
	mostOfALook = 200 * time.Millisecond
	// outageAfter is the time since the look before behind which counting begins anew: this process stood still, or the
	// leaders did not respond at first, to whoever writes neither.
	outageAfter = time.Second
)

// None is in Look.Heads where no record waits.
const None = -1

// Look is what a look at the brokers has found.
type Look struct {
	At      time.Time // when it began
	Reached bool      // the leaders of all partitions that the task reads and writes have responded
	Written bool      // something was added to the journal since the look before
	Heads   []int64   // by partition of the input: the offset of the first record that waits, or None
}

// Waits reports whether a record waits.
func (l *Look) Waits() bool {
	for _, offset := range l.Heads {
		if offset != None {
			return true
		}
	}
	return false
}

// Waiting is the record that has waited longest.
type Waiting struct {
	Partition int32
	Offset    int64 // None: no record waits
	For       time.Duration
}

// Count counts. The zero value has seen no look.
type Count struct {
	last  time.Time // of the look before; zero: there is none
	heads []Waiting // by partition
}

// Reset begins anew.
func (c *Count) Reset() { c.last, c.heads = time.Time{}, c.heads[:0] }

// Note takes a look, and returns which record has waited longest in looks that succeeded while nothing was written.
func (c *Count) Note(l *Look) (longest Waiting) {
	longest.Offset = None
	//mutation:failed-looks-count
	if !l.Reached {
		c.Reset()
		return longest
	}
	passed := c.passed(l.At)
	for len(c.heads) < len(l.Heads) {
		c.heads = append(c.heads, Waiting{Partition: int32(len(c.heads)), Offset: None})
	}
	c.heads = c.heads[:len(l.Heads)]
	for p, offset := range l.Heads {
		h := &c.heads[p]
		//mutation:flight-being-written
		if offset != h.Offset || l.Written {
			h.Offset, h.For = offset, 0
		} else if offset != None {
			h.For += passed
		}
		if h.Offset != None && (longest.Offset == None || h.For > longest.For) {
			longest = *h
		}
	}
	return longest
}

// passed is how much of the time since the look before counts.
func (c *Count) passed(at time.Time) time.Duration {
	passed := at.Sub(c.last)
	//mutation:pause-counts
	if c.last.IsZero() || passed > outageAfter {
		c.heads = c.heads[:0]
	}
	c.last = at
	//mutation:look-counts-at-most
	return min(passed, mostOfALook)
}
