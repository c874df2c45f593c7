package kafka

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// A tap dials, and lets a test observe or change what passes each connection. Requests begin with a Write; large
// batches have more than one.
type tap struct {
	onRead  func(c *tapped, p []byte) error // p was read; an error ends the connection
	onWrite func(c *tapped, p []byte) error // errSwallow: the broker never sees it
	dials   atomic.Int64
	closed  atomic.Int64

	mu  sync.Mutex
	all []net.Conn
}

// closeAll closes all connections.
func (x *tap) closeAll() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, c := range x.all {
		_ = c.Close()
	}
	x.all = nil
}

type tapped struct {
	net.Conn
	tap    *tap
	marked atomic.Bool // for the test's own use
	once   sync.Once
}

func (c *tapped) Close() error {
	c.once.Do(func() { c.tap.closed.Add(1) })
	return c.Conn.Close()
}

var errSwallow = errors.New("swallowed")

func (x *tap) dial(ctx context.Context, network, address string) (net.Conn, error) {
	x.dials.Add(1)
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	t := &tapped{Conn: c, tap: x}
	x.all = append(x.all, t)
	return t, nil
}

func (c *tapped) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.tap.onRead != nil && n > 0 {
		if err := c.tap.onRead(c, p[:n]); err != nil {
			return 0, err
		}
	}
	return n, err
}

func (c *tapped) Write(p []byte) (int, error) {
	if c.tap.onWrite != nil {
		switch err := c.tap.onWrite(c, p); {
		case errors.Is(err, errSwallow):
			return len(p), nil
		case err != nil:
			return 0, err
		}
	}
	return c.Conn.Write(p)
}

// isRequest tells whether p is a request of this kind.
func isRequest(p []byte, key kmsg.Key) bool {
	return len(p) > 8 && int16(binary.BigEndian.Uint16(p[4:])) == int16(key)
}

// loseResponses makes a tap that drops the connection in place of the next n responses to requests of a kind, which the
// broker has executed.
func loseResponses(key kmsg.Key, n int64) *tap { return loseLater(key, 0, n) }

// loseLater is loseResponses behind some that come.
func loseLater(key kmsg.Key, come, n int64) *tap {
	var sent atomic.Int64
	return &tap{
		onWrite: func(c *tapped, p []byte) error {
			if !isRequest(p, key) {
				return nil
			}
			if i := sent.Add(1); i > come && i <= come+n {
				c.marked.Store(true)
			}
			return nil
		},
		onRead: func(c *tapped, _ []byte) error {
			if c.marked.Load() {
				return io.ErrUnexpectedEOF
			}
			return nil
		},
	}
}

// swallow makes a tap that lets the next n requests of a kind disappear, and all that comes after them: connections
// that have gone silent.
func swallow(key kmsg.Key, n int64) *tap {
	var lost atomic.Int64
	return &tap{onWrite: func(c *tapped, p []byte) error {
		if c.marked.Load() || isRequest(p, key) && lost.Add(1) <= n {
			c.marked.Store(true)
			return errSwallow
		}
		return nil
	}}
}

// dialAs is dial of another address, or of none.
func (x *tap) dialAs(of func(address string) (string, bool)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		address, there := of(address)
		if !there {
			return nil, net.ErrClosed
		}
		return x.dial(ctx, network, address)
	}
}
