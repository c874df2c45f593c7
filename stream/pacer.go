package stream

import (
	"context"
	"time"
)

// pacer spaces recoveries in process: the first follows at once, each within a minute of the one before waits twice as
// long, up to ten seconds.
type pacer struct {
	last time.Time
	next time.Duration
}

// wait reports whether the context has not ended.
func (p *pacer) wait(ctx context.Context) bool {
	if time.Since(p.last) > time.Minute {
		p.next = 0
	}
	select {
	case <-time.After(p.next):
	case <-ctx.Done():
		return false
	}
	p.last, p.next = time.Now(), min(max(2*p.next, 50*time.Millisecond), 10*time.Second)
	return ctx.Err() == nil
}
