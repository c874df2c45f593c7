package kafka

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"time"
)

const (
	firstPause = 10 * time.Millisecond
	lastPause  = time.Second
)

// backoff waits 10 ms, 20 ms ... 1 s, each up to a fifth shorter so that clients spread. The zero value is ready.
type backoff struct{ next time.Duration }

func (b *backoff) wait(ctx context.Context) error { return pause(ctx, b.grow(lastPause)) }

// grow returns the next pause, at most so long.
func (b *backoff) grow(most time.Duration) time.Duration {
	b.next = min(max(2*b.next, firstPause), most)
	return b.next - rand.N(b.next/5)
}

func (b *backoff) reset() { b.next = 0 }

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

// patience is for how long a request is repeated: a start gives up, a process that took over does not (0).
func (c *Cluster) patience() time.Duration {
	if c.running.Load() {
		return 0
	}
	return c.opt.Patience
}

// retry repeats f while its errors are retriable and patience lasts (0: until the context ends). what names the
// operation in errors and outages.
func (c *Cluster) retry(
	ctx context.Context, what string, patience time.Duration, f func(context.Context) error,
) error {
	defer c.outages.clear(what)
	began := time.Now()
	var b backoff
	for last := error(nil); ; {
		err := f(ctx)
		if last == nil || ctx.Err() == nil {
			last = err
		}
		after := time.Since(began)
		switch {
		case err == nil:
			c.outages.recovered(what)
			return nil
		case ctx.Err() == nil && judge(err, opRequest) != retriable:
			return err
		case c.closedAtOnce(err) && after > c.opt.Patience/6:
			return &retriesExhausted{what: what, after: after, err: err, hint: "the broker closes the connection" +
				" without a response: check the TLS and SASL settings, the user and the password"}
		case patience > 0 && after > patience:
			return &retriesExhausted{what: what, after: after, err: last}
		}
		c.outages.failed(what, err)
		if b.wait(ctx) != nil {
			return &interrupted{what: what, last: last, err: ctx.Err()}
		}
	}
}

// interrupted is a request whose context ended before its errors did.
type interrupted struct {
	what      string
	last, err error // of the request, of the context
}

func (i *interrupted) Error() string { return i.what + ": " + words(i.last) }
func (i *interrupted) Unwrap() error { return i.err }

// prepare is retry for what comes before a takeover. Its error is a stop or the context's.
func (c *Cluster) prepare(ctx context.Context, what string, f func(context.Context) error) error {
	err := c.retry(ctx, what, c.patience(), f)
	if err != nil && ctx.Err() == nil {
		return stopFor(err)
	}
	return err
}

// closedAtOnce: brokers have only closed connections without a response: some do so for a wrong password, most for
// plain text where TLS is due or the reverse.
func (c *Cluster) closedAtOnce(err error) bool {
	return !c.reached.Load() && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF))
}
