package labels

import "time"

// delayBounds are the upper bounds of Delays.
var delayBounds = [...]time.Duration{0, time.Second, 10 * time.Second, time.Minute, 10 * time.Minute, time.Hour,
	6 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour}

// Delays counts labels by how much later than their events they came, by the timestamps of both.
type Delays struct {
	Counts [len(delayBounds) + 1]int64 `json:"counts"` // up to each bound, and beyond the last
	Sum    int64                       `json:"sum"`    // ms
}

// DelayBounds returns the upper bounds of Delays.Counts but the last. The first one, 0, is for labels with a timestamp
// no later than their event's.
func DelayBounds() []time.Duration { return delayBounds[:] }

// Add counts a label that came ms later.
func (d *Delays) Add(ms int64) {
	i := 0
	for i < len(delayBounds) && ms > delayBounds[i].Milliseconds() {
		i++
	}
	d.Counts[i]++
	d.Sum += ms
}

// Labels is how many are counted.
func (d *Delays) Labels() (n int64) {
	for _, count := range d.Counts {
		n += count
	}
	return n
}
