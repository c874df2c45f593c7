package broker

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Conn is a connection to a broker for one goroutine. Each step ends at the deadline of its context.
type Conn struct {
	net.Conn
	Address  string   // host:port, as given to Open
	Versions Versions // of the broker, after Negotiate
	Session  Session  // of the login, after Login

	Throttled time.Duration // what the last response asks for: see throttled
	Muted     time.Time     // until then the broker does not read from the connection

	dialer *Dialer
	moving *movingConn // below TLS
}

// Encrypt does the TLS handshake.
func (c *Conn) Encrypt(ctx context.Context) (tls.ConnectionState, error) {
	config := c.dialer.TLS
	if config.ServerName == "" {
		host, _, err := net.SplitHostPort(c.Address)
		if err != nil {
			return tls.ConnectionState{}, err
		}
		config = config.Clone()
		config.ServerName = host
	}
	encrypted := tls.Client(c.Conn, config)
	if err := encrypted.HandshakeContext(ctx); err != nil {
		return tls.ConnectionState{}, err
	}
	c.Conn = encrypted
	return encrypted.ConnectionState(), nil
}

// Limits bound an exchange.
type Limits struct {
	Idle   time.Duration         // time without a byte in either direction
	Size   int                   // bytes of the response
	Memory func(size int) []byte // for the response; nil: new memory
}

// Lost is an established connection that is of no use any more.
type Lost struct{ Err error }

func (l *Lost) Error() string { return l.Err.Error() }
func (l *Lost) Unwrap() error { return l.Err }

// Exchange sends a request in the highest common version and returns its response. It ends with the context, or when
// no byte has passed for l.Idle. After an error the connection is of no use. Errors of the connection are *Lost, also
// those of TLS: by now both sides have accepted each other.
func (c *Conn) Exchange(ctx context.Context, req kmsg.Request, l Limits) (kmsg.Response, error) {
	if err := c.Versions.Set(req); err != nil {
		return nil, err
	}
	if err := c.AwaitReading(ctx); err != nil {
		return nil, err
	}
	end, err := c.moving.begin(ctx, l.Idle)
	if err != nil {
		return nil, &Lost{&RequestError{c.Sent(req), err}}
	}
	res, err := RoundTrip(c, c.dialer.ClientID, req, l.Size, l.Memory)
	if !end() {
		return nil, ctx.Err()
	}
	var (
		unreadable *UnreadableResponse
		oversized  *OversizedResponse
	)
	switch {
	case err == nil:
		c.note(res)
		return res, nil
	case errors.As(err, &unreadable):
		return nil, &RequestError{c.Sent(req), err}
	case errors.As(err, &oversized):
		return nil, err
	}
	c.moving.abort()
	return nil, &Lost{&RequestError{c.Sent(req), err}}
}

// Request sends a request in the highest common version and returns its response.
func Request[R kmsg.Response](ctx context.Context, c *Conn, req kmsg.Request) (R, error) {
	var none R
	if err := c.Versions.Set(req); err != nil {
		return none, err
	}
	res, err := c.roundTrip(ctx, req)
	if err != nil {
		return none, err
	}
	return res.(R), nil
}

func (c *Conn) roundTrip(ctx context.Context, req kmsg.Request) (kmsg.Response, error) {
	if err := c.AwaitReading(ctx); err != nil {
		return nil, err
	}
	end, err := c.moving.begin(ctx, 0)
	if err != nil {
		return nil, err
	}
	defer end()
	res, err := RoundTrip(c, c.dialer.ClientID, req, ResponseLimit, nil)
	if err != nil {
		return nil, &RequestError{c.Sent(req), err}
	}
	c.note(res)
	return res, nil
}
