package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/verdict"
)

// idleLimit is how long an unused connection is kept: less than brokers (10 minutes) and balancers on the way do.
const idleLimit = time.Minute

// A pool has the connections to brokers. A request has one for itself, and returns it for others.
type pool struct {
	dialer broker.Dialer
	limit  time.Duration // for all steps that make a connection: the addresses that may be tried share it
	grace  time.Duration // for how long a broker may refuse a client that has been let in for as long

	closings closings // at requests

	mu     sync.Mutex
	let    time.Time // when a broker first let this client in
	refuse map[string]refusal
	open   map[*broker.Conn]struct{}
	idle   []idleConn // the last used at the end
	closed bool
}

type idleConn struct {
	*broker.Conn
	since time.Time
}

var errClosed = errors.New("the client is closed")

// get returns a connection to one of these addresses: the first of them that can be reached.
func (p *pool) get(ctx context.Context, addresses ...string) (*broker.Conn, error) {
	var c *broker.Conn
	var err error
	began := time.Now()
	share := p.limit / time.Duration(len(addresses)) // an address has it even if this process was suspended before
	for tried, address := range addresses {
		if c := p.take(address); c != nil {
			return c, nil
		}
		left := p.limit - time.Since(began)
		//mutation:time-for-others
		limit := max(left/time.Duration(len(addresses)-tried), share)
		if c, err = p.connect(ctx, address, limit); err == nil {
			return c, p.opened(c)
		}
	}
	return nil, err
}

// connect tries again when one side of TLS refuses the other: a damaged byte has the same effect.
func (p *pool) connect(ctx context.Context, address string, limit time.Duration) (*broker.Conn, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c, err := p.dialer.Connect(limited, "tcp", address)
	if verdict.TLSRefused(err) {
		c, err = p.dialer.Connect(limited, "tcp", address)
	}
	if err != nil {
		p.closings.forget(address)
	}
	err = p.judge(address, err)
	late := limited.Err() != nil || errors.Is(err, os.ErrDeadlineExceeded) // either may come first
	if ctx.Err() == nil && late && err != nil && !errors.As(err, new(*broker.NoCredentials)) {
		// Not a noResponse: it says nothing about how slow the link is.
		err = fmt.Errorf("connection to %s: no response within %v", address, limit.Round(time.Millisecond))
	}
	return c, err
}

func (p *pool) opened(c *broker.Conn) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		_ = c.Close()
		return errClosed
	}
	if p.open == nil {
		p.open = map[*broker.Conn]struct{}{}
	}
	p.open[c] = struct{}{}
	return nil
}

// take removes and returns an idle connection, nil if there is none.
func (p *pool) take(address string) *broker.Conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expire(time.Now().Add(-idleLimit))
	p.endSessions(time.Now())
	for i := len(p.idle) - 1; i >= 0; i-- {
		//mutation:muted-connection
		if c := p.idle[i].Conn; c.Address == address && !time.Now().Before(c.Muted) {
			p.idle = slices.Delete(p.idle, i, i+1)
			return c
		}
	}
	return nil
}

// connected returns the addresses of the idle connections that take a request now.
func (p *pool) connected() map[string]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := map[string]bool{}
	for _, c := range p.idle {
		if !time.Now().Before(c.Muted) {
			all[c.Address] = true
		}
	}
	return all
}

// expire closes connections that are idle since before a time. The caller holds mu.
func (p *pool) expire(before time.Time) {
	n := slices.IndexFunc(p.idle, func(c idleConn) bool { return c.since.After(before) })
	if n < 0 {
		n = len(p.idle)
	}
	for _, c := range p.idle[:n] {
		p.drop(c.Conn)
	}
	p.idle = slices.Delete(p.idle, 0, n)
}

// endSessions closes connections whose logins soon count no more, so that no request meets that. The caller holds mu.
func (p *pool) endSessions(now time.Time) {
	p.idle = slices.DeleteFunc(p.idle, func(c idleConn) bool {
		//mutation:session-over
		if !c.Session.Over(now) {
			return false
		}
		p.drop(c.Conn)
		return true
	})
}

// drop closes a connection. The caller holds mu.
func (p *pool) drop(c *broker.Conn) {
	delete(p.open, c)
	_ = c.Close() // nothing more is written
}

// put returns a connection that is ready for the next request.
func (p *pool) put(c *broker.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.open[c]; ok {
		p.idle = append(p.idle, idleConn{c, time.Now()})
	}
}

// discard closes a connection, and the idle ones to the same address if it was lost: they are too, as a rule.
func (p *pool) discard(c *broker.Conn, lost bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(c)
	if lost {
		p.idle = slices.DeleteFunc(p.idle, func(other idleConn) bool {
			same := other.Address == c.Address
			if same {
				p.drop(other.Conn)
			}
			return same
		})
	}
}

// close ends all connections, also those in use.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed, p.idle = true, nil
	for c := range p.open {
		p.drop(c)
	}
}
