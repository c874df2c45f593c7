package kafka

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/wire"
)

// An exchange carries one kmsg request over a connection of kafka-go's Transport, as a protocol.RawExchanger. The
// Transport sets the deadline from the context and drops the connection after an error of RawExchange.
//
// It belongs to one attempt: the Transport may still use it after the context's end.
type exchange struct {
	req        kmsg.Request
	res        kmsg.Response
	cluster    *Cluster
	limit      int  // bytes of the largest response
	disconnect bool // drop the connection afterwards: the next attempt uses another one

	memory func(size int) []byte // for the response; nil for memory of its own
}

// errDisconnect ends a successful exchange whose connection is no longer trusted.
var errDisconnect = errors.New("connection dropped on purpose")

func (x *exchange) ApiKey() protocol.ApiKey { return protocol.ApiKey(x.req.Key()) }

// Required makes Transport call RawExchange for every broker.
func (x *exchange) Required(map[protocol.ApiKey]int16) bool { return true }

// RawExchange writes the request and reads the response.
func (x *exchange) RawExchange(rw io.ReadWriter) (protocol.Message, error) {
	conn, ok := rw.(net.Conn)
	if !ok {
		return nil, fmt.Errorf("a %T is no network connection", rw)
	}
	versions, ok := x.cluster.versions.Load(conn.RemoteAddr().String())
	if !ok {
		return nil, fmt.Errorf("no connection to %s was made", conn.RemoteAddr())
	}
	err := versions.(wire.Versions).Set(x.req)
	if err != nil {
		return nil, err
	}
	if x.res, err = wire.RoundTrip(conn, x.cluster.opt.ClientID, x.req, x.limit, x.memory); err != nil {
		return nil, err
	}
	if x.disconnect {
		return nil, errDisconnect
	}
	return x, nil
}

// roundTrip sends one request along a route. Errors are the context's, the code of a broker that refused the connection
// or knows no coordinator, or those of the connection.
func (c *Cluster) roundTrip(ctx context.Context, to route, x *exchange, wait time.Duration) (kmsg.Response, error) {
	if x.limit == 0 {
		x.limit = wire.ResponseLimit
	}
	x.cluster = c
	limited, cancel := context.WithTimeout(ctx, c.opt.request+wait)
	defer cancel()
	_, err := c.transport.RoundTrip(limited, c.addr, to(x))
	name := kmsg.NameForKey(x.req.Key())
	var code kafkago.Error
	switch {
	case err == nil, errors.Is(err, errDisconnect):
		c.reached.Store(true)
		return x.res, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: no response within %v", name, c.opt.request+wait)
	case errors.As(err, &code):
		return nil, coded(int16(code), "%s", name)
	}
	return nil, err
}

func request[R kmsg.Response](ctx context.Context, c *Cluster, to route, req kmsg.Request) (R, error) {
	res, err := c.roundTrip(ctx, to, &exchange{req: req}, 0)
	if err != nil {
		var none R
		return none, err
	}
	return res.(R), nil
}
