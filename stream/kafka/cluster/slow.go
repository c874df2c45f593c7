package cluster

import (
	"errors"
	"sync/atomic"
	"time"
)

// Slow adapts requests to a slow link, on which deadlines that move with the bytes are not enough: kernels and proxies
// take bytes long before they are over it. After each request that took too long, the next large batch gets twice the
// time, and the next fetch requests half as much; after a quick one it is the reverse.
type Slow struct{ taken atomic.Int32 }

const (
	maxSlow    = 7
	slowestFit = 8 << 10  // bytes a second: a batch gets no more time than it takes at this rate
	LargeBatch = 64 << 10 // bytes; smaller ones get the least time always
	mostTime   = 2 * time.Minute
)

// TimeFor is how long nothing may pass while a batch of this size is sent and acknowledged, after so many steps.
func TimeFor(least time.Duration, size int, steps int32) time.Duration {
	if size < LargeBatch {
		return least
	}
	return min(least<<steps, least+time.Duration(size)*time.Second/slowestFit, max(least, mostTime))
}

// Steps is how many there are now.
func (s *Slow) Steps() int32 { return s.taken.Load() }

// Note counts a request that was made at these steps and took so long.
func (s *Slow) Note(steps int32, took, limit time.Duration, err error) {
	switch {
	case errors.As(err, new(*noResponse)), err == nil && took > limit:
		s.taken.CompareAndSwap(steps, min(steps+1, maxSlow)) // else another request was first
	case err == nil && took < limit/4:
		s.taken.CompareAndSwap(steps, max(steps-1, 0))
	}
}
