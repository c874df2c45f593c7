package web

import (
	"net"
	"net/http"
	"slices"
	"sync"
)

// limitedListener accepts at most max connections at one time. When all places are taken, a new connection takes that
// of the one that has waited longest for a complete header, so that clients that send none keep nobody out. A
// connection whose request is served keeps its place; while there are only such ones, new ones wait.
type limitedListener struct {
	net.Listener
	max int

	mu      sync.Mutex
	changed *sync.Cond // broadcast at each change of the fields below
	open    int
	waiting []net.Conn // for a complete header, the longest first
	evicted net.Conn   // closed here, and the server has not noticed yet
	closed  bool
}

func newLimitedListener(l net.Listener, limit int) *limitedListener {
	x := &limitedListener{Listener: l, max: limit}
	x.changed = sync.NewCond(&x.mu)
	return x
}

// Accept is described at net.Listener.
func (l *limitedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.open == l.max && !l.closed {
		//mutation:evict
		if l.evicted == nil && len(l.waiting) > 0 {
			l.evicted = l.waiting[0]
			_ = l.evicted.Close() // it has failed already, or the server meets the error
		}
		l.changed.Wait()
	}
	if l.closed {
		_ = c.Close() // nothing was written to it
		return nil, net.ErrClosed
	}
	l.open++
	return c, nil
}

// Close is described at net.Listener.
func (l *limitedListener) Close() error {
	l.mu.Lock()
	l.closed = true
	l.changed.Broadcast()
	l.mu.Unlock()
	return l.Listener.Close()
}

// state is the server's http.Server.ConnState. A connection becomes active when a header is complete or its time is
// over.
func (l *limitedListener) state(c net.Conn, s http.ConnState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = slices.DeleteFunc(l.waiting, func(w net.Conn) bool { return w == c })
	switch s {
	case http.StateNew, http.StateIdle:
		l.waiting = append(l.waiting, c)
	case http.StateClosed, http.StateHijacked:
		l.open--
	}
	if c == l.evicted {
		l.evicted = nil
	}
	l.changed.Broadcast()
}
