package wire

import (
	"context"
	"crypto/tls"
	"net"
	"time"

	"github.com/segmentio/kafka-go/sasl"
)

// Dialer makes connections to brokers.
type Dialer struct {
	ClientID string         // sent to the brokers, for their logs and quotas
	TLS      *tls.Config    // nil for plain text
	SASL     sasl.Mechanism // nil for none
	// Dial makes the network connections. TLS and SASL happen on top of it.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Open connects to an address, host:port. Nothing is sent.
func (d *Dialer) Open(ctx context.Context, network, address string) (*Conn, error) {
	conn, err := d.Dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &Conn{Conn: conn, dialer: d, address: address}, nil
}

// Connect takes all the steps: it opens a connection, encrypts it, requests the broker's versions and logs in, as far
// as the Dialer says so.
func (d *Dialer) Connect(ctx context.Context, network, address string) (*Conn, error) {
	c, err := d.Open(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if err := c.prepare(ctx); err != nil {
		_ = c.Close() // the error that counts is the step's
		return nil, err
	}
	return c, nil
}

func (c *Conn) prepare(ctx context.Context) error {
	if c.dialer.TLS != nil {
		if _, err := c.Encrypt(ctx); err != nil {
			return err
		}
	}
	if err := c.Negotiate(ctx); err != nil {
		return err
	}
	if c.dialer.SASL != nil {
		if err := c.Login(ctx); err != nil {
			return err
		}
	}
	return c.SetDeadline(time.Time{})
}
