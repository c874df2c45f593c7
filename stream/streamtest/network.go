package streamtest

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Network is the way from tasks to their brokers, on which these can be away: its Dial is that of kafka.Options.
type Network struct {
	mu    sync.Mutex
	conns map[net.Conn]bool
	until time.Time // the brokers are away till then

	at    kmsg.Key // the request with which they go away, if armed
	armed chan struct{}
	away  time.Duration
}

// AwayAt makes the brokers go away for some time with the next request of a kind, and returns a channel that is closed
// then.
func (n *Network) AwayAt(key kmsg.Key, d time.Duration) <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.at, n.armed, n.away = key, make(chan struct{}), d
	return n.armed
}

var errAway = errors.New("connection refused")

// Dial connects, unless the brokers are away.
func (n *Network) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{Timeout: 3 * time.Second}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if time.Now().Before(n.until) {
		_ = c.Close()
		return nil, errAway
	}
	if n.conns == nil {
		n.conns = map[net.Conn]bool{}
	}
	n.conns[c] = true
	return &networkConn{c, n}, nil
}

type networkConn struct {
	net.Conn
	n *Network
}

func (c *networkConn) Close() error {
	c.n.mu.Lock()
	defer c.n.mu.Unlock()
	delete(c.n.conns, c.Conn)
	return c.Conn.Close()
}

// Write ends every connection when it meets the request that AwayAt names.
func (c *networkConn) Write(p []byte) (int, error) {
	if len(p) > 8 {
		c.n.request(kmsg.Key(binary.BigEndian.Uint16(p[4:])))
	}
	return c.Conn.Write(p)
}

func (n *Network) request(key kmsg.Key) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.armed == nil || key != n.at {
		return
	}
	close(n.armed)
	n.armed, n.until = nil, time.Now().Add(n.away)
	for conn := range n.conns {
		_ = conn.Close()
	}
}
