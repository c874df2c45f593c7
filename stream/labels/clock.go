package labels

import (
	"math"
	"slices"
)

// Clock is label time: over the partitions of the labels topic that ever held a record, the lowest of the highest
// timestamps handled. A timestamp that is too far ahead of the wall clock counts when that has come near: of each
// partition the lowest such one is kept. Its JSON is part of the checkpoint; what is too far ahead is not.
type Clock struct {
	// Highest timestamp handled in each partition; nothingPassed where none was, neverHeld where there never was a
	// record.
	Highest []int64 `json:"highest"`
	// Newest of the timestamps of events and labels, none later than its record was handled.
	Newest int64 `json:"newest,omitempty"`
	// Ahead is how far, in ms, a timestamp may be ahead of the wall clock and count at once: see Ahead.
	Ahead int64 `json:"-"`

	idle   int64 // what Idle counts up to is this plus what it is told has passed
	lowest int64 // of Highest, if known
	known  bool
	future []int64 // the lowest timestamp of each partition that was too far ahead; neverHeld: there is none
}

// Clone returns a copy without what is too far ahead.
func (c *Clock) Clone() Clock {
	return Clock{Highest: slices.Clone(c.Highest), Newest: c.Newest, Ahead: c.Ahead}
}

const (
	neverHeld     = math.MaxInt64
	nothingPassed = math.MinInt64

	mostAhead = 60 * 60 * 1000
)

// Ahead is how far, in ms, the timestamp of a label may be ahead of the wall clock where examples wait for so many ms:
// an hour, or a tenth of that if it is less.
func Ahead(wait int64) int64 { return min(mostAhead, wait/10) }

// Hold notes that a partition holds, or once held, a record. Until one is handled, there is no label time.
func (c *Clock) Hold(partition int32) {
	for int(partition) >= len(c.Highest) {
		c.Highest = append(c.Highest, neverHeld)
	}
	if c.Highest[partition] == neverHeld {
		c.Highest[partition], c.known = nothingPassed, false
	}
}

// Pass notes that a record was handled, whatever became of it, by the wall clock now.
func (c *Clock) Pass(partition int32, timestamp, now int64) {
	c.Hold(partition)
	c.See(timestamp, now)
	//mutation:label-time-ahead
	if timestamp-c.Ahead <= now {
		c.raise(partition, timestamp)
		return
	}
	for int(partition) >= len(c.future) {
		c.future = append(c.future, neverHeld)
	}
	c.future[partition] = min(c.future[partition], timestamp)
}

// See notes that an event or a label was handled, by the wall clock now.
func (c *Clock) See(timestamp, now int64) { c.Newest = max(c.Newest, min(timestamp, now)) }

func (c *Clock) raise(partition int32, timestamp int64) {
	if timestamp > c.Highest[partition] {
		c.known = c.known && c.Highest[partition] > c.lowest
		c.Highest[partition] = timestamp
	}
}

// Advance lets timestamps count to which the wall clock has come near.
func (c *Clock) Advance(now int64) {
	for p, timestamp := range c.future {
		//mutation:label-time-comes-near
		if timestamp != neverHeld && timestamp-c.Ahead <= now {
			c.raise(int32(p), timestamp)
			c.future[p] = neverHeld
		}
	}
}

// Raise notes what was handled according to the Highest of another clock of the same partitions, whatever the wall
// clock says now.
func (c *Clock) Raise(highest []int64) {
	for p, ms := range highest {
		if ms == neverHeld {
			continue
		}
		if c.Hold(int32(p)); ms > c.Highest[p] {
			c.Highest[p], c.known = ms, false
		}
	}
}

// Future returns the lowest timestamp that is too far ahead of the wall clock to count; false if there is none.
func (c *Clock) Future() (ms int64, ok bool) {
	ms = neverHeld
	for _, timestamp := range c.future {
		ms = min(ms, timestamp)
	}
	return ms, ms != neverHeld
}

// InTime returns a timestamp, or now, the moment at which its record was read, if it is further ahead of that than it
// may be.
func InTime(timestamp, now, ahead int64) int64 {
	if timestamp-ahead > now {
		return now
	}
	return timestamp
}

// Seconds is what timestamps of 1970 mean that are written today.
const Seconds = "timestamps are in 1970: seconds in place of milliseconds?"

// InMilliseconds is what to do about it.
const InMilliseconds = "have producers write timestamps in milliseconds since 1970"

// InSeconds reports whether a timestamp is one of 1970, so that Seconds is likely. Others are of records that are old.
func InSeconds(timestamp int64) bool {
	//mutation:old-times-are-no-seconds
	return 0 < timestamp && timestamp < 31_536_000_000
}

// Idle notes that a partition counts as read up to now, if it ever held a record. The wall clock may be wrong, so it
// counts no further than Ahead beyond the newest timestamp, and from there on as time passes: ran is for how many ms
// the caller has run, by a clock that nobody sets.
func (c *Clock) Idle(partition int32, now, ran int64) {
	if int(partition) >= len(c.Highest) || c.Highest[partition] == neverHeld {
		return
	}
	newest := c.Newest + c.Ahead
	for _, ms := range c.Highest {
		if ms != neverHeld { // some may count up to then because they are idle
			newest = max(newest, ms)
		}
	}
	if newest == c.Ahead {
		return // nothing was handled yet
	}
	c.idle = max(c.idle, newest-ran)
	//mutation:idle-bound
	c.raise(partition, min(now, c.idle+ran))
}

// Time returns label time; false if there is none yet.
func (c *Clock) Time() (ms int64, ok bool) {
	if len(c.Highest) == 0 {
		return 0, false
	}
	if !c.known {
		//mutation:label-time-lowest
		c.lowest, c.known = slices.Min(c.Highest), true
	}
	return c.lowest, c.lowest != neverHeld && c.lowest != nothingPassed
}
