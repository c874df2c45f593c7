package labels

import (
	"math"
	"slices"
)

// Clock is label time: over the partitions of the labels topic that ever held a record, the lowest of the highest
// timestamps gone over. Its JSON is part of the checkpoint.
type Clock struct {
	// Highest timestamp gone over in each partition; nothingPassed where none was, neverHeld where there never was a
	// record.
	Highest []int64 `json:"highest"`

	lowest int64 // of Highest, if known
	known  bool
}

// Clone returns a copy.
func (c *Clock) Clone() Clock { return Clock{Highest: slices.Clone(c.Highest)} }

const (
	neverHeld     = math.MaxInt64
	nothingPassed = math.MinInt64

	// ahead is how far, in ms, a timestamp may be ahead of the wall clock and still move label time.
	ahead = 60 * 60 * 1000
)

// Hold notes that a partition holds, or once held, a record. Until one is gone over, there is no label time.
func (c *Clock) Hold(partition int32) {
	for int(partition) >= len(c.Highest) {
		c.Highest = append(c.Highest, neverHeld)
	}
	if c.Highest[partition] == neverHeld {
		c.Highest[partition], c.known = nothingPassed, false
	}
}

// Pass notes that a record was gone over, whatever became of it. A timestamp over an hour ahead of the wall clock, now,
// does not count.
func (c *Clock) Pass(partition int32, timestamp, now int64) {
	c.Hold(partition)
	//mutation:label-time-ahead
	if timestamp-ahead <= now && timestamp > c.Highest[partition] {
		c.known = c.known && c.Highest[partition] > c.lowest
		c.Highest[partition] = timestamp
	}
}

// InTime returns a timestamp, or now, the moment at which its record was read, if it is over an hour ahead of that.
func InTime(timestamp, now int64) int64 {
	if timestamp-ahead > now {
		return now
	}
	return timestamp
}

// Idle notes that a partition counts as read up to now, if it ever held a record.
func (c *Clock) Idle(partition int32, now int64) {
	if int(partition) < len(c.Highest) && c.Highest[partition] != neverHeld {
		c.Pass(partition, now, now)
	}
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
