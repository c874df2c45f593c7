// Package awake is for the limits of tests: it counts the time in which this process runs. A machine that is suspended,
// or has other work, makes no test fail.
package awake

import (
	"context"
	"time"
)

// Timeout is like context.WithTimeout. Of a time in which the process does not run at most a twentieth of d counts, and
// the context's error is context.Canceled.
func Timeout(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	const steps = 20
	var step func(left int)
	step = func(left int) {
		if left == 0 {
			cancel()
		} else if ctx.Err() == nil {
			time.AfterFunc(d/steps, func() { step(left - 1) })
		}
	}
	step(steps)
	return ctx, cancel
}
