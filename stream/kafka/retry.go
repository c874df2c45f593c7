package kafka

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	firstPause = 10 * time.Millisecond
	lastPause  = time.Second
)

// backoff waits longer each time: 10 ms, 20 ms ... 1 s, each by up to a fifth shorter so that clients spread. The zero
// value is ready.
type backoff struct{ next time.Duration }

func (b *backoff) wait(ctx context.Context) error {
	b.next = min(max(2*b.next, firstPause), lastPause)
	return pause(ctx, b.next-rand.N(b.next/5))
}

func (b *backoff) reset() { b.next = 0 }

// pause waits, or returns the context's error.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// persist repeats f as long as its errors pass by themselves and patience lasts (0: until the context ends). It names what
// it is at in errors and for Trouble.
func (c *Client) persist(ctx context.Context, what string, patience time.Duration, f func(context.Context) error) error {
	began := time.Now()
	var b backoff
	for {
		err := f(ctx)
		switch {
		case err == nil:
			c.worries.well(what)
			return nil
		case ctx.Err() == nil && classify(err) != passing:
			c.worries.clear(what)
			return err
		case patience > 0 && time.Since(began) > patience:
			return fmt.Errorf("%s: given up after %v: %w", what, patience, err)
		}
		c.worries.note(what, err)
		if b.wait(ctx) != nil {
			c.worries.clear(what)
			return fmt.Errorf("%s: %w, while %v", what, ctx.Err(), err)
		}
	}
}
