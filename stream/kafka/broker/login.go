package broker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/segmentio/kafka-go/sasl"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Session is for how long a broker lets a connection work after its login (KIP-368). It closes the connection at the
// first request after that.
type Session struct {
	Length time.Duration // 0: as long as the connection
	began  time.Time
}

// Over tells whether the last tenth of the session has begun: a request that is sent now may come too late.
func (s Session) Over(now time.Time) bool {
	//mutation:last-tenth
	return s.Length > 0 && now.Sub(s.began) > s.Length-s.Length/10
}

// UnsupportedMechanism is a SASL mechanism that the broker does not offer.
type UnsupportedMechanism struct {
	Offered []string
}

func (u *UnsupportedMechanism) Error() string {
	return fmt.Sprintf("%v, the broker offers %s", u.Unwrap(), strings.Join(u.Offered, ", "))
}

func (u *UnsupportedMechanism) Unwrap() error {
	return &Error{kerr.UnsupportedSaslMechanism}
}

// RefusedLogin is the broker's refusal, with what it says about it.
type RefusedLogin struct {
	Code error // an *Error
	Said string
}

func (r *RefusedLogin) Error() string {
	if r.Said == "" {
		return r.Code.Error()
	}
	return fmt.Sprintf("%v; the broker says %q", r.Code, r.Said)
}

func (r *RefusedLogin) Unwrap() error { return r.Code }

// NoCredentials is a login that ends on this side: its password, token or keys cannot be had, or the broker does not
// prove that it knows them. It has no cause to unwrap, so that nobody takes trouble with a file or with the issuer of
// tokens for one with the connection.
type NoCredentials struct {
	Text  string
	Final bool // the same will happen again
}

func (n *NoCredentials) Error() string { return n.Text }

// Login does the SASL exchange.
func (c *Conn) Login(ctx context.Context) error {
	mechanism := c.dialer.SASL
	handshake := &kmsg.SASLHandshakeRequest{Mechanism: mechanism.Name()}
	res, err := Request[*kmsg.SASLHandshakeResponse](ctx, c, handshake)
	switch {
	case err != nil:
		return err
	case res.ErrorCode == kerr.UnsupportedSaslMechanism.Code:
		return &UnsupportedMechanism{Offered: res.SupportedMechanisms}
	case res.ErrorCode != 0:
		return ErrorForCode(res.ErrorCode)
	}
	host, port, err := net.SplitHostPort(c.Address)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return err
	}
	return c.authenticate(sasl.WithMetadata(ctx, &sasl.Metadata{Host: host, Port: number}), mechanism)
}

func (c *Conn) authenticate(ctx context.Context, mechanism sasl.Mechanism) error {
	session, message, err := mechanism.Start(ctx)
	if err != nil {
		return noCredentials(ctx, err, false)
	}
	for done := false; !done; {
		began := time.Now() // the broker counts from its response, which is later
		req := &kmsg.SASLAuthenticateRequest{SASLAuthBytes: message}
		res, err := Request[*kmsg.SASLAuthenticateResponse](ctx, c, req)
		switch {
		case err != nil:
			return err
		case res.ErrorCode != 0:
			refused := &RefusedLogin{Code: ErrorForCode(res.ErrorCode)}
			if res.ErrorMessage != nil {
				refused.Said = *res.ErrorMessage
			}
			return refused
		}
		if done, message, err = session.Next(ctx, res.SASLAuthBytes); err != nil {
			return noCredentials(ctx, err, true)
		}
		c.Session = Session{time.Duration(min(res.SessionLifetimeMillis, maxSession)) * time.Millisecond, began}
	}
	return nil
}

// maxSession keeps the length of a session within a time.Duration.
const maxSession = int64(math.MaxInt64 / time.Millisecond)

func noCredentials(ctx context.Context, err error, final bool) error {
	var known *NoCredentials
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &known):
		return known
	}
	return &NoCredentials{Text: err.Error(), Final: final}
}
