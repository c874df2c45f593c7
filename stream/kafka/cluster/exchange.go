package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/verdict"
)

// An Exchange is a request and what its response is read with.
type Exchange struct {
	Message    kmsg.Request
	Wait       time.Duration         // time that the broker may wait before it responds
	Patience   time.Duration         // time without a byte beside it; default: the cluster's
	Limit      int                   // bytes of the largest response; default broker.ResponseLimit
	Disconnect bool                  // close the connection afterwards: the next attempt uses another one
	Memory     func(size int) []byte // for the response; nil for memory of its own
	Sent       bool                  // by Request: it may have arrived
	Took       time.Duration         // by Request: without the wait for a broker that throttles
	asked      broker.Sent           // by Request: in this version, of this broker
}

// noResponse is a retriable error: a time without a byte from the broker, or to it.
type noResponse struct {
	sent  broker.Sent
	after time.Duration
}

func (n *noResponse) Error() string {
	return fmt.Sprintf("%v: no response within %v", n.sent, n.after)
}

// Request sends one request along a route. Errors are the context's, the code of a broker that refused the connection
// or knows no coordinator, or those of the connection. It is a noResponse when nothing has passed for some time.
func (c *Cluster) Request(ctx context.Context, to Route, x *Exchange) (kmsg.Response, error) {
	addresses, err := to(ctx, c)
	if err != nil {
		return nil, err
	}
	request := kmsg.Key(x.Message.Key())
	//mutation:throttle-waits
	if addresses, err = c.throttles.await(ctx, request, addresses); err != nil {
		return nil, err
	}
	began := time.Now()
	defer func() { x.Took = time.Since(began) }()
	conn, err := c.pool.get(ctx, addresses...)
	if err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	limits := broker.Limits{
		Idle: cmp.Or(x.Patience, c.Options.ResponseTimeout) + x.Wait,
		Size: cmp.Or(x.Limit, broker.ResponseLimit), Memory: x.Memory,
	}
	trail := trailOf(ctx)
	trail.begin()
	x.Sent = true
	sent := time.Now()
	res, err := conn.Exchange(ctx, x.Message, limits)
	x.asked = conn.Sent(x.Message)
	trail.end(x.asked)
	if err == nil {
		c.throttles.note(conn.Address, request, conn.Throttled) // before another request has the connection
	}
	if err == nil && !x.Disconnect {
		c.pool.put(conn)
	} else {
		c.pool.discard(conn, errors.As(err, new(*broker.Lost)))
	}
	switch {
	case err == nil:
		c.reached.Store(true)
		c.pool.closings.end(x.Message.Key())
		return res, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	var failed *broker.RequestError
	switch errors.As(err, &failed); {
	case failed == nil:
		return nil, err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &noResponse{failed.Sent, limits.Idle}
	case verdict.IsClosing(err) && c.cannotRead(ctx, failed.Sent, sent):
		return nil, &broker.Unreadable{Sent: failed.Sent}
	}
	return nil, err
}

// Ask is Request with the defaults of an Exchange, and a response of the message's type.
func Ask[R kmsg.Response](ctx context.Context, c *Cluster, to Route, req kmsg.Request) (R, error) {
	res, err := c.Request(ctx, to, &Exchange{Message: req})
	if err != nil {
		var none R
		return none, err
	}
	return res.(R), nil
}
