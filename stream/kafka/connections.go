package kafka

import (
	"context"
	"net"
	"sync"
)

// connection is an open network connection. Transport closes idle ones only: one that waits for a silent broker would
// outlive the Cluster until its timeout.
type connection struct {
	net.Conn
	open *sync.Map
}

func (c *connection) Close() error {
	c.open.Delete(c)
	return c.Conn.Close()
}

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// track makes dial register connections until end is done.
func (c *Cluster) track(end context.Context, dial dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		nc, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		conn := &connection{nc, &c.open}
		c.open.Store(conn, nil)
		if end.Err() != nil { // Close may have missed it
			_ = conn.Close()
		}
		return conn, nil
	}
}

// dial opens a connection that is ready for requests and stores its broker's versions: kafka-go negotiates only those
// in its own tables.
func (c *Cluster) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := c.dialer.Connect(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c.versions.Store(conn.RemoteAddr().String(), conn.Versions)
	return conn, nil
}
