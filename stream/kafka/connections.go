package kafka

import (
	"context"
	"fmt"
	"net"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/wire"
)

// connections are the open network connections, and the versions that the brokers at their other ends speak: what
// kafka-go negotiates ends at its own tables. Transport closes idle connections only, and one that waits for a silent
// broker would outlive the cluster by its time limit.
type connections struct {
	dialer wire.Dialer

	mu       sync.Mutex
	open     map[*connection]struct{}
	closed   bool
	versions map[string]wire.Versions // by address, as of the last connection to it
}

type connection struct {
	net.Conn
	all *connections
}

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// connect opens a connection that is ready for requests.
func (cs *connections) connect(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := cs.dialer.Connect(ctx, network, address)
	if err != nil {
		return nil, err
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.versions == nil {
		cs.versions = map[string]wire.Versions{}
	}
	cs.versions[c.RemoteAddr().String()] = c.Versions
	return c, nil
}

// setVersion gives a request the version for the broker at an address.
func (cs *connections) setVersion(addr string, req kmsg.Request) error {
	cs.mu.Lock()
	versions, ok := cs.versions[addr]
	cs.mu.Unlock()
	if !ok {
		return fmt.Errorf("no connection to %s was made", addr)
	}
	return versions.Set(req)
}

// track makes dial note the connections that it opens.
func (cs *connections) track(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		nc, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		cs.mu.Lock()
		defer cs.mu.Unlock()
		if cs.closed {
			_ = nc.Close()
			return nil, net.ErrClosed
		}
		if cs.open == nil {
			cs.open = map[*connection]struct{}{}
		}
		c := &connection{Conn: nc, all: cs}
		cs.open[c] = struct{}{}
		return c, nil
	}
}

func (c *connection) Close() error {
	c.all.mu.Lock()
	delete(c.all.open, c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}

func (cs *connections) close() {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.closed = true
	for c := range cs.open {
		_ = c.Conn.Close()
	}
}
