package broker

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// longestThrottle is how long a broker is obeyed at most. A quota that is used up asks for more only where one batch is
// larger than what the quota lets pass in that time. A damaged response would ask for up to 25 days.
const longestThrottle = 10 * time.Minute

// throttled is for how long a broker lets this client wait with its response: a quota of its user or of its client id
// is used up. The broker responds at once, and does not read from the connection until then (KIP-219). Versions of a
// response by which brokers before Kafka 2.0 had waited already ask for nothing.
func throttled(res kmsg.Response) time.Duration {
	r, has := res.(kmsg.ThrottleResponse)
	if !has {
		return 0
	}
	millis, behind := r.Throttle()
	if millis <= 0 || !behind {
		return 0
	}
	return min(time.Duration(millis)*time.Millisecond, longestThrottle)
}

// note takes in what a response asks for.
func (c *Conn) note(res kmsg.Response) {
	c.Throttled = throttled(res)
	c.Muted = time.Now().Add(c.Throttled)
}

// AwaitReading waits until the broker reads from the connection again.
func (c *Conn) AwaitReading(ctx context.Context) error {
	if rest := time.Until(c.Muted); rest > 0 {
		return Pause(ctx, rest)
	}
	return nil
}

// Pause waits for so long, or until the context ends.
func Pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
