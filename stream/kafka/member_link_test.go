package kafka

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// link is the network of one process.
type link struct {
	mu    sync.Mutex
	dead  bool
	deaf  atomic.Bool
	late  atomic.Int64 // ns
	conns []net.Conn
}

func (l *link) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead {
		_ = c.Close()
		return nil, net.ErrClosed
	}
	l.conns = append(l.conns, c)
	return &linkConn{c, l}, nil
}

// kill ends all connections for good.
func (l *link) kill() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dead = true
	for _, c := range l.conns {
		_ = c.Close()
	}
}

// deafen loses all that the brokers send.
func (l *link) deafen() { l.deaf.Store(true) }

// restore ends what deafen began. Connections that were open are of no use.
func (l *link) restore() { l.deaf.Store(false) }

// slow lets each response come so much later.
func (l *link) slow(by time.Duration) { l.late.Store(int64(by)) }

type linkConn struct {
	net.Conn
	l *link
}

func (c *linkConn) Read(p []byte) (int, error) {
	for {
		n, err := c.Conn.Read(p)
		if late := c.l.late.Load(); late > 0 {
			time.Sleep(time.Duration(late)) // the delay of the link
		}
		if err != nil || !c.l.deaf.Load() {
			return n, err
		}
	}
}
