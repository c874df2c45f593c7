package kafka

import (
	"context"
	"net"
	"sync"
)

// conns are the open network connections: Transport closes idle ones only, and one that waits for a broker that has
// gone silent would outlive the client by its time limit.
type conns struct {
	dial func(ctx context.Context, network, address string) (net.Conn, error)

	mu     sync.Mutex
	live   map[*conn]struct{}
	closed bool
}

type conn struct {
	net.Conn
	all *conns
}

func (cs *conns) open(ctx context.Context, network, address string) (net.Conn, error) {
	nc, err := cs.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.closed {
		nc.Close()
		return nil, net.ErrClosed
	}
	if cs.live == nil {
		cs.live = map[*conn]struct{}{}
	}
	c := &conn{Conn: nc, all: cs}
	cs.live[c] = struct{}{}
	return c, nil
}

func (c *conn) Close() error {
	c.all.mu.Lock()
	delete(c.all.live, c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}

func (cs *conns) close() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.closed = true
	for c := range cs.live {
		c.Conn.Close()
	}
}
