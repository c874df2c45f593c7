package kafka

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
)

// An exchange is a request and what its response is read with.
type exchange struct {
	req        kmsg.Request
	wait       time.Duration         // time that the broker may wait before it responds
	patience   time.Duration         // time without a byte beside it; default: the cluster's
	limit      int                   // bytes of the largest response; default broker.ResponseLimit
	disconnect bool                  // close the connection afterwards: the next attempt uses another one
	memory     func(size int) []byte // for the response; nil for memory of its own
	sent       bool                  // by roundTrip: it may have arrived
	from       string                // by roundTrip: the broker's address
}

// noResponse is a retriable error: a time without a byte from the broker, or to it.
type noResponse struct {
	what, broker string
	after        time.Duration
}

func (n *noResponse) Error() string {
	return fmt.Sprintf("%s: no response from %s within %v", n.what, n.broker, n.after)
}

// roundTrip sends one request along a route. Errors are the context's, the code of a broker that refused the connection
// or knows no coordinator, or those of the connection. It is a noResponse when nothing has passed for some time.
func (c *Cluster) roundTrip(ctx context.Context, to route, x *exchange) (kmsg.Response, error) {
	addresses, err := to(ctx, c)
	if err != nil {
		return nil, err
	}
	conn, err := c.pool.get(ctx, addresses...)
	if err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	limits := broker.Limits{
		Idle: cmp.Or(x.patience, c.opt.ResponseTimeout) + x.wait,
		Size: cmp.Or(x.limit, broker.ResponseLimit), Memory: x.memory,
	}
	x.sent, x.from = true, conn.Address
	res, err := conn.Exchange(ctx, x.req, limits)
	if err == nil && !x.disconnect {
		c.pool.put(conn)
	} else {
		c.pool.discard(conn, errors.As(err, new(*broker.Lost)))
	}
	switch {
	case err == nil:
		c.reached.Store(true)
		return res, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, &noResponse{kmsg.NameForKey(x.req.Key()), conn.Address, limits.Idle}
	}
	return nil, err
}

func request[R kmsg.Response](ctx context.Context, c *Cluster, to route, req kmsg.Request) (R, error) {
	res, err := c.roundTrip(ctx, to, &exchange{req: req})
	if err != nil {
		var none R
		return none, err
	}
	return res.(R), nil
}
