package verify

import (
	"math"
	"slices"
)

// labelTime is how far a partition may have been read at a moment of the journal, by its timestamps.
type labelTime struct {
	highest int64   // of what was passed; nothingPassed
	held    bool    // the daemon is known to have met a record
	future  []int64 // timestamps passed that did not count when they were passed, ascending
}

const (
	nothingPassed = math.MinInt64

	// tooFar is how far, in ms, a timestamp may be ahead of the wall clock and still move label time; with a minute
	// more, since the journal only tells about when a record was read.
	tooFar = (60 + 1) * 60 * 1000

	mostFuture = 64 // of them; the lowest of more counts at once
)

func newLabelTime() labelTime { return labelTime{highest: nothingPassed} }

// resume takes over what a checkpoint says of a partition (labels.Clock).
func (t *labelTime) resume(highest int64) {
	if highest != math.MaxInt64 { // it never held a record
		t.highest, t.held = highest, true
	}
}

// pass notes a record that was passed when the newest entry of the journal was of now.
func (t *labelTime) pass(timestamp, now int64) {
	if timestamp-tooFar <= now {
		t.highest = max(t.highest, timestamp)
		return
	}
	i, _ := slices.BinarySearch(t.future, timestamp)
	t.future = slices.Insert(t.future, i, timestamp)
	if len(t.future) > mostFuture {
		t.highest, t.future = max(t.highest, t.future[0]), t.future[1:]
	}
}

// at is the highest timestamp that counts when the newest entry is of now.
func (t *labelTime) at(now int64) int64 {
	for len(t.future) > 0 && t.future[0]-tooFar <= now {
		t.highest, t.future = max(t.highest, t.future[0]), t.future[1:]
	}
	return t.highest
}

// latestLabelTime is the latest that label time can be now; nothingPassed if there can be none. It is the lowest of the
// partitions of which the daemon has met records. Of the others it may have met none.
func (a *auditor) latestLabelTime() int64 {
	now := a.late.published
	least, most, known := int64(math.MaxInt64), int64(nothingPassed), false
	for _, p := range a.late.partitions {
		at := p.time.at(now)
		if a.Labels.Idle > 0 {
			at = max(at, now) // it may count as read up to then
		}
		//mutation:verify-lost-time
		if p.record != nil && p.lost() { // it may have been read long ago
			at = max(at, now+tooFar)
		}
		most = max(most, at)
		if p.time.held {
			least, known = min(least, at), true
		}
	}
	if known {
		return least
	}
	return most
}
