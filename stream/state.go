package stream

import (
	"slices"
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// state is all that a checkpoint holds, alive. One goroutine owns it: the one that recovers, then the one that learns.
type state struct {
	proc      *Processor
	fixed     Fixed
	seq       int64   // of the last answer
	epoch     int64   // takeovers so far
	positions []int64 // of each input partition
	started   []int64 // where the model's history begins
	counts    Counts
	accepted  []Acceptance
	skipped   []topics.SkipRange
	dead      map[place]deadLetter // letters found at the takeover whose records lie ahead
	topology  *topics.Topology     // as read before the takeover
	fence     *topics.Fence
	base      topics.Ends // of the checkpoint; after recovery, behind the markers of the takeover
}

// deadLetter is a dead letter found at the takeover.
type deadLetter struct {
	reason    event.Reason
	partition int32 // of the dead-letter topic
	offset    int64
}

// Counts add up: Read = Answered + the sum of Rejected + Tombstones.
type Counts struct {
	Read       int64            `json:"read"`       // records passed
	Answered   int64            `json:"answered"`   // answers published
	Tombstones int64            `json:"tombstones"` // null values passed by
	Rejected   map[string]int64 `json:"rejected"`   // by reason
}

func (c *Counts) reject(r event.Reason) {
	if c.Rejected == nil {
		c.Rejected = map[string]int64{}
	}
	c.Read++
	c.Rejected[r.String()]++
}

// renameReasons counts what was rejected for a reason of an earlier version under its name of today.
func (c *Counts) renameReasons() {
	for name, n := range c.Rejected {
		if r, ok := event.ParseReason(name); ok && r.String() != name {
			delete(c.Rejected, name)
			c.Rejected[r.String()] += n
		}
	}
}

// Acceptance is a stop that an operator passed: what came before it cannot be recomputed from the topics.
type Acceptance struct {
	Name      string    `json:"name"`
	What      string    `json:"what"`      // what was given up
	Seq       int64     `json:"seq"`       // of the last answer before
	Epoch     int64     `json:"epoch"`     // the takeover it was accepted at
	Positions []int64   `json:"positions"` // where the input went on
	Time      time.Time `json:"time"`

	*topics.Ends // from where verify reads what came after it; nil until the takeover is complete
}

// lettersFloor is, for each dead-letter partition, the first letter whose record lies ahead; without one it is upper.
func (s *state) lettersFloor(upper []int64) []int64 {
	floor := slices.Clone(upper)
	for at, d := range s.dead {
		if at.offset >= s.positions[at.partition] {
			floor[d.partition] = min(floor[d.partition], d.offset)
		}
	}
	return floor
}

// passDead moves positions over the run of dead-lettered offsets that begins at each, and forgets letters behind them.
func (s *state) passDead() {
	for p := range s.positions {
		for {
			at := place{int32(p), s.positions[p]}
			d, ok := s.dead[at]
			if !ok {
				break
			}
			s.counts.reject(d.reason)
			s.positions[p]++
		}
	}
	for at := range s.dead {
		if at.offset < s.positions[at.partition] {
			delete(s.dead, at)
		}
	}
}
