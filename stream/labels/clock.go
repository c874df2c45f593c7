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
}

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
		c.Highest[partition] = nothingPassed
	}
}

// Pass notes that a record was gone over, whatever became of it. A timestamp over an hour ahead of the wall clock, now,
// does not count. Of a partition that is idle for long, the caller may pass now itself.
func (c *Clock) Pass(partition int32, timestamp, now int64) {
	c.Hold(partition)
	//mutation:label-time-ahead
	if timestamp-ahead <= now {
		c.Highest[partition] = max(c.Highest[partition], timestamp)
	}
}

// Time returns label time; false if there is none yet.
func (c *Clock) Time() (ms int64, ok bool) {
	if len(c.Highest) == 0 {
		return 0, false
	}
	ms = slices.Min(c.Highest)
	return ms, ms != neverHeld && ms != nothingPassed
}
