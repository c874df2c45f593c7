package kafka

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// An exchange carries one kmsg request over a connection of kafka-go's Transport: it is a protocol.Message that asks, as a
// protocol.RawExchanger, to be handed the connection itself. The Transport sets the connection's deadline from the context
// and drops the connection when RawExchange returns an error, so nothing half read is ever read on.
//
// An exchange belongs to one attempt: after the context's end the Transport may still be at work on it.
type exchange struct {
	req        kmsg.Request
	res        kmsg.Response
	client     *Client
	limit      int  // bytes of the largest answer taken
	disconnect bool // drop the connection after the answer: the next attempt uses another one

	buffers buffers // where the memory of the answer may come from; nil: always fresh
	buffer  []byte  // of an answer that lies in memory of buffers
}

// errDisconnect ends an exchange that succeeded but whose connection is no longer trusted.
var errDisconnect = errors.New("connection dropped on purpose")

// unreadableResponse is an answer that came but does not say what became of the request.
type unreadableResponse struct{ err error }

func (u *unreadableResponse) Error() string { return u.err.Error() }
func (u *unreadableResponse) Unwrap() error { return u.err }

// oversizedResponse is an answer over the limit; Head holds its first bytes.
type oversizedResponse struct {
	size int
	head []byte
}

func (t *oversizedResponse) Error() string {
	return fmt.Sprintf("an answer of %d bytes is over the limit", t.size)
}

const (
	responseLimit = 64 << 20 // bytes of an answer without records
	headBytes     = 64 << 10 // bytes kept of an answer over the limit
)

var correlation atomic.Int32

func (x *exchange) ApiKey() protocol.ApiKey { return protocol.ApiKey(x.req.Key()) }

// Required says that RawExchange is to be used with every broker.
func (x *exchange) Required(map[protocol.ApiKey]int16) bool { return true }

// RawExchange writes the request and reads its answer.
func (x *exchange) RawExchange(rw io.ReadWriter) (protocol.Message, error) {
	addr := ""
	if nc, ok := rw.(net.Conn); ok {
		addr = nc.RemoteAddr().String()
	}
	if err := x.trade(rw, addr); err != nil {
		x.client.apis.forget(addr)
		return nil, err
	}
	if x.disconnect {
		return nil, errDisconnect
	}
	return x, nil
}

func (x *exchange) trade(rw io.ReadWriter, addr string) error {
	version, err := x.client.apis.version(rw, addr, x)
	if err != nil {
		return err
	}
	x.req.SetVersion(version)
	body, err := converse(rw, x.client.opt.ClientID, x.req, x.limit, x.memory)
	if err != nil {
		return err
	}
	res := x.req.ResponseKind()
	if err := res.ReadFrom(body); err != nil {
		return &unreadableResponse{fmt.Errorf("an answer to %s that cannot be read: %w", kmsg.NameForKey(x.req.Key()), err)}
	}
	x.res = res
	return nil
}

// memory gives the memory for an answer of size bytes.
func (x *exchange) memory(size int) []byte {
	body, again := x.buffers.take(size, int(x.client.fetchBytes()))
	if again {
		x.buffer = body
	}
	return body
}

// fresh is memory of an answer's own.
func fresh(size int) []byte { return make([]byte, size) }

// converse writes one request and returns the body of its answer, in memory that nobody else uses.
func converse(rw io.ReadWriter, clientID string, req kmsg.Request, limit int, memory func(size int) []byte) ([]byte, error) {
	id := correlation.Add(1)
	if err := send(rw, clientID, req, id); err != nil {
		return nil, err
	}
	var head [8]byte
	if _, err := io.ReadFull(rw, head[:]); err != nil {
		return nil, err
	}
	size := int(int32(binary.BigEndian.Uint32(head[:]))) - 4
	if got := int32(binary.BigEndian.Uint32(head[4:])); got != id || size < 0 {
		return nil, fmt.Errorf("answer %d of %d bytes to request %d", got, size, id)
	}
	if size > limit {
		body := make([]byte, min(size, headBytes))
		if _, err := io.ReadFull(rw, body); err != nil {
			return nil, err
		}
		return nil, &oversizedResponse{size: size, head: body}
	}
	body := memory(size)
	if _, err := io.ReadFull(rw, body); err != nil {
		return nil, err
	}
	if req.IsFlexible() && req.Key() != int16(kmsg.ApiVersions) {
		return skipTags(body)
	}
	return body, nil
}

// skipTags passes the tagged fields that end the header of a flexible answer (KIP-482).
func skipTags(b []byte) ([]byte, error) {
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			b = nil
			return 0
		}
		b = b[n:]
		return v
	}
	for tags := next(); tags > 0 && b != nil; tags-- { // a broken answer may promise tags without end
		next()
		size := next()
		if size > uint64(len(b)) {
			return nil, io.ErrUnexpectedEOF
		}
		b = b[size:]
	}
	if b == nil {
		return nil, io.ErrUnexpectedEOF
	}
	return b, nil
}

// roundTrip sends one request along a route and returns its answer. Errors are the context's, or what happened on the way;
// retriable tells which of those go away by themselves.
func (c *Client) roundTrip(ctx context.Context, to route, x *exchange, wait time.Duration) (kmsg.Response, error) {
	if x.limit == 0 {
		x.limit = responseLimit
	}
	x.client = c
	limited, cancel := context.WithTimeout(ctx, c.opt.request+wait)
	defer cancel()
	_, err := c.transport.RoundTrip(limited, c.addr, to.carry(x))
	switch {
	case err == nil, errors.Is(err, errDisconnect):
		c.reached.Store(true)
		return x.res, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: no answer within %v", kmsg.NameForKey(x.req.Key()), c.opt.request+wait)
	}
	return nil, err
}

// ask is roundTrip for an answer of a known type.
func ask[R kmsg.Response](ctx context.Context, c *Client, to route, req kmsg.Request) (R, error) {
	res, err := c.roundTrip(ctx, to, &exchange{req: req}, 0)
	if err != nil {
		var none R
		return none, err
	}
	return res.(R), nil
}
