package broker

import (
	"context"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// movingConn is a network connection whose deadline moves with the bytes that pass, in either direction: a slow link
// takes as long as it needs, a silent one ends. TLS is on top of it, because a TLS connection is of no use after a
// Write that met a deadline.
type movingConn struct {
	net.Conn
	idle      time.Duration // 0: the deadline stays where it is
	until     time.Time     // the deadline
	cancelled atomic.Bool
}

var longAgo = time.Unix(1, 0)

// begin sets the deadline: idle from now, or the context's for 0. It also ends reads and writes when the context is
// done, until end is called; if end returns false, they have ended and the connection is of no use.
func (m *movingConn) begin(ctx context.Context, idle time.Duration) (end func() bool, err error) {
	m.idle = idle
	if m.until, _ = ctx.Deadline(); idle > 0 {
		m.until = time.Now().Add(idle)
	}
	if err := m.SetDeadline(m.until); err != nil {
		return nil, err
	}
	return context.AfterFunc(ctx, func() {
		m.cancelled.Store(true)
		_ = m.SetDeadline(longAgo) // a closed connection has ended too
	}), nil
}

// moved moves the deadline, not at every byte: that takes longer than to read some.
func (m *movingConn) moved() {
	now := time.Now()
	if m.idle == 0 || m.until.Sub(now) > m.idle*3/4 {
		return
	}
	m.until = now.Add(m.idle)
	_ = m.SetDeadline(m.until) // the next Read or Write meets the error
	if m.cancelled.Load() {
		_ = m.SetDeadline(longAgo)
	}
}

func (m *movingConn) Read(p []byte) (n int, err error) {
	n, err = m.Conn.Read(p)
	if n > 0 {
		m.moved()
	}
	return n, err
}

// Write goes on after a deadline by which a part was written.
func (m *movingConn) Write(p []byte) (n int, err error) {
	for {
		more, err := m.Conn.Write(p[n:])
		n += more
		if !m.wrote(int64(more), err) {
			return n, err
		}
	}
}

// WriteBuffers writes parts as Write does, in as few segments as possible: a broker reads each by itself.
func (m *movingConn) WriteBuffers(parts net.Buffers) error {
	for {
		more, err := parts.WriteTo(m.Conn)
		if !m.wrote(more, err) {
			return err
		}
	}
}

// wrote moves the deadline after a write of n bytes, and reports whether to write the rest: it met the deadline, though
// some bytes passed.
func (m *movingConn) wrote(n int64, err error) (again bool) {
	if n == 0 {
		return false
	}
	m.moved()
	return m.idle > 0 && !m.cancelled.Load() && errors.Is(err, os.ErrDeadlineExceeded)
}

// abort makes the next Close drop what is not sent yet, so that it does not hold up the next connection on a slow link.
func (m *movingConn) abort() {
	if tcp, ok := m.Conn.(interface{ SetLinger(int) error }); ok {
		_ = tcp.SetLinger(0)
	}
}
