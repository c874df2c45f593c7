package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// sameSignal is how long after a first signal a second one counts as the same: timeout(1) and go run send it twice.
const sameSignal = 300 * time.Millisecond

// Interruptible returns a context that SIGINT and SIGTERM end. A second signal ends the process at once.
func Interruptible() (context.Context, context.CancelFunc) { return interruptible(sameSignal) }

func interruptible(same time.Duration) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { time.AfterFunc(same, stop) })
	return ctx, func() {
		if ctx.Err() == nil { // else the second signal may come while the process ends
			stop()
		}
	}
}
