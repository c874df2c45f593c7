package main

import (
	"context"
	"time"
)

// pacer tells how many events are due.
type pacer struct {
	rate  float64 // events a second; 0 for as many as there are
	began time.Time
	gone  float64
}

// wait waits until at least one event is due and returns how many are, at most maxBatch; false when ctx ended.
func (p *pacer) wait(ctx context.Context) (most int, ok bool) {
	if p.rate == 0 {
		return maxBatch, ctx.Err() == nil
	}
	if p.began.IsZero() {
		p.began = time.Now()
	}
	for ctx.Err() == nil {
		due := time.Since(p.began).Seconds()*p.rate + 1 - p.gone // the first one at once
		if due > p.rate+maxBatch {                               // it fell behind: no burst to catch up
			p.gone += due - 1
			due = 1
		}
		if due >= 1 {
			return int(min(due, maxBatch)), true
		}
		// At high rates the smallest pause sends several at once.
		pause := max(time.Duration((1-due)/p.rate*float64(time.Second)), 2*time.Millisecond)
		t := time.NewTimer(pause)
		select {
		case <-t.C:
		case <-ctx.Done():
		}
		t.Stop()
	}
	return 0, false
}
