package broker

import (
	"context"
	"crypto/tls"
	"net"

	"github.com/segmentio/kafka-go/sasl"
)

// Dialer makes connections to brokers.
type Dialer struct {
	ClientID string         // sent to the brokers, for their logs and quotas
	Version  string         // of this program, for their metrics
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
	moving := &movingConn{Conn: conn}
	return &Conn{Conn: moving, Address: address, dialer: d, moving: moving}, nil
}

// Connect takes all the steps that the Dialer requires: open, encrypt, negotiate versions, log in.
func (d *Dialer) Connect(ctx context.Context, network, address string) (*Conn, error) {
	c, err := d.Open(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if d.TLS != nil {
		_, err = c.Encrypt(ctx)
	}
	if err == nil {
		err = c.Negotiate(ctx)
	}
	if err == nil && d.SASL != nil {
		err = c.Login(ctx)
	}
	if err != nil {
		_ = c.Close() // the step's error counts
		return nil, err
	}
	return c, nil
}
