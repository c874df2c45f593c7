package cluster

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"time"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/verdict"
)

const (
	FirstPause = 10 * time.Millisecond
	LastPause  = time.Second
)

// Backoff waits 10 ms, 20 ms ... 1 s, each up to a fifth shorter so that clients spread. The zero value is ready.
type Backoff struct{ next time.Duration }

// Wait waits for the next pause, or until the context ends.
func (b *Backoff) Wait(ctx context.Context) error { return broker.Pause(ctx, b.Grow(LastPause)) }

// Grow returns the next pause, at most so long.
func (b *Backoff) Grow(most time.Duration) time.Duration {
	b.next = min(max(2*b.next, FirstPause), most)
	return b.next - rand.N(b.next/5)
}

// Reset begins with the shortest pause again.
func (b *Backoff) Reset() { b.next = 0 }

// Waited reports whether there was an error since the last reset.
func (b *Backoff) Waited() bool { return b.next > 0 }

// Patience is for how long a request is repeated: a start gives up, a process that took over does not (0).
func (c *Cluster) Patience() time.Duration {
	if c.running.Load() {
		return 0
	}
	return c.Options.Patience
}

// KeepTrying makes requests be repeated for as long as they take, from now on: a takeover was complete.
func (c *Cluster) KeepTrying() { c.running.Store(true) }

// Retry repeats f while its errors are retriable and patience lasts (0: until the context ends). what names the
// operation in errors and outages.
func (c *Cluster) Retry(
	ctx context.Context, what string, patience time.Duration, f func(context.Context) error,
) error {
	defer c.Outages.Clear(what)
	began, asked := time.Now(), &trail{}
	ctx = context.WithValue(ctx, trailKey{}, asked)
	var b Backoff
	for last := error(nil); ; {
		err := asked.name(f(ctx))
		if last == nil || ctx.Err() == nil {
			last = err
		}
		after := time.Since(began)
		switch {
		case err == nil:
			c.Outages.Recovered(what)
			return nil
		case ctx.Err() == nil && verdict.Judge(err, verdict.OnRequest) != verdict.Retriable:
			return err
		case c.closedAtOnce(err) && after > c.Options.Patience/6:
			return &verdict.Exhausted{What: what, After: after, Err: err, Hint: "the broker closes the connection" +
				" without a response: check the TLS and SASL settings, the user and the password"}
		case patience > 0 && after > patience:
			return &verdict.Exhausted{What: what, After: after, Err: last}
		}
		c.Outages.Failed(what, err)
		if b.Wait(ctx) != nil {
			return &interrupted{what: what, last: last, err: ctx.Err()}
		}
	}
}

// interrupted is a request whose context ended before its errors did.
type interrupted struct {
	what      string
	last, err error // of the request, of the context
}

func (i *interrupted) Error() string { return i.what + ": " + verdict.Words(i.last) }
func (i *interrupted) Unwrap() error { return i.err }

// Prepare is Retry for what comes before a takeover. Its error is a stop or the context's.
func (c *Cluster) Prepare(ctx context.Context, what string, f func(context.Context) error) error {
	err := c.Retry(ctx, what, c.Patience(), f)
	if err != nil && ctx.Err() == nil {
		return verdict.StopFor(err)
	}
	return err
}

// closedAtOnce: brokers have only closed connections without a response: some do so for a wrong password, most for
// plain text where TLS is due or the reverse.
func (c *Cluster) closedAtOnce(err error) bool {
	return !c.reached.Load() && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF))
}
