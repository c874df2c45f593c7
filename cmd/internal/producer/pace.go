package producer

import (
	"context"
	"math"
	"time"

	"golang.org/x/time/rate"
)

// pace limits events a second. The zero value sets no limit.
type pace struct{ *rate.Limiter }

// newPace allows the first event at once. A delay is made up for, up to a second's events and a batch; a longer one
// starts the pace anew. The burst is larger, so that this shows.
func newPace(perSecond float64) pace {
	if perSecond == 0 {
		return pace{}
	}
	burst := int(min(perSecond+maxBatch+2, math.MaxInt32))
	l := rate.NewLimiter(rate.Limit(perSecond), burst)
	l.AllowN(time.Now(), burst-1)
	return pace{l}
}

// wait waits until events may be sent and returns how many, at most maxBatch.
func (p pace) wait(ctx context.Context) (int, error) {
	if p.Limiter == nil {
		return maxBatch, ctx.Err()
	}
	if err := p.Wait(ctx); err != nil {
		return 0, err
	}
	due := 1 + p.Tokens()
	if due > float64(p.Limit())+maxBatch {
		p.ReserveN(time.Now(), int(due)-1)
		due = 1
	}
	return int(min(due, maxBatch)), nil
}

// spend counts events sent after a wait, which has counted the first.
func (p pace) spend(n int) {
	if p.Limiter != nil {
		p.ReserveN(time.Now(), n-1)
	}
}
