package fetch

import (
	"sync/atomic"
	"time"
)

// appendTime is a moving average of how long appends took.
type appendTime struct{ ns atomic.Int64 }

// longAppend counts for each that took longer, as while a broker was away.
const longAppend = time.Second

func (a *appendTime) add(took time.Duration) {
	was := a.ns.Load()
	a.ns.Store(was + (int64(min(took, longAppend))-was)/4)
}

func (a *appendTime) average() time.Duration { return time.Duration(a.ns.Load()) }

// Appended says how long an append took.
func (f *Fetcher) Appended(took time.Duration) { f.appends.add(took) }
