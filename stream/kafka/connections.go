package kafka

import (
	"context"
	"net"
	"sync"
)

// connection is an open network connection. Close of a Cluster closes them: Transport closes idle ones only, and one
// that waits for a silent broker would outlive the cluster by its time limit.
type connection struct {
	net.Conn
	open *sync.Map // of all connections
}

func (c *connection) Close() error {
	c.open.Delete(c)
	return c.Conn.Close()
}

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// track makes dial note the connections that it opens until end is done.
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

// dial opens a connection that is ready for requests, and notes the versions that the broker at its other end speaks:
// what kafka-go negotiates ends at its own tables.
func (c *Cluster) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := c.dialer.Connect(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c.versions.Store(conn.RemoteAddr().String(), conn.Versions)
	return conn, nil
}
