// Package proxytest is a network between a client and Kafka brokers that fails when a test says so: it delays, cuts, swallows
// and changes single messages. Only tests import it.
//
// It knows Kafka's framing, so a test can lose one acknowledgement after the broker has written the batch, or cut a connection
// in the middle of one fetched answer. Brokers name their own addresses in answers to Metadata; there the proxy puts its own,
// so that every connection comes through it. What is encrypted it cannot read: StartRaw passes bytes on and counts.
package proxytest

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// Proxy listens once for each broker. Its methods may be called from any goroutine.
type Proxy struct {
	t       testing.TB
	raw     bool
	brokers []string          // addresses of the listeners
	ours    map[string]string // broker's address -> the listener's
	rule    atomic.Pointer[Rule]
	made    atomic.Int64
	tasks   sync.WaitGroup

	mu     sync.Mutex
	live   map[net.Conn]struct{}
	closed bool
}

// A Rule looks at every message that is about to be passed on and says what becomes of it. It may change Body in place, and
// it may take its time: what comes later on the connection waits. Several connections call it side by side.
type Rule func(m *Message) Verdict

// Message is one request or answer.
type Message struct {
	Key, Version int16  // of the request
	Answer       bool   // it goes to the client
	Body         []byte // without the four bytes of the length
}

// Verdict is what becomes of a message.
type Verdict int

const (
	Pass    Verdict = iota
	Swallow         // it and all that follows on this connection, both ways, goes nowhere: a network that lost its way, without RST
	Cut             // the connection is closed instead
	CutHalf         // half of it is passed on, then the connection is closed
)

// Start makes a proxy before these brokers, all of a cluster. It ends with the test.
func Start(t testing.TB, brokers ...string) *Proxy { return start(t, false, brokers) }

// StartRaw makes a proxy that does not look into what it passes on: no rules, and the addresses in Metadata stay.
func StartRaw(t testing.TB, broker string) *Proxy { return start(t, true, []string{broker}) }

func start(t testing.TB, raw bool, brokers []string) *Proxy {
	t.Helper()
	p := &Proxy{t: t, raw: raw, ours: map[string]string{}, live: map[net.Conn]struct{}{}}
	var listeners []net.Listener
	for _, b := range brokers {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		listeners = append(listeners, l)
		p.brokers = append(p.brokers, l.Addr().String())
		p.ours[b] = l.Addr().String()
	}
	for i, l := range listeners {
		p.tasks.Go(func() { p.accept(l, brokers[i]) })
	}
	t.Cleanup(func() {
		for _, l := range listeners {
			_ = l.Close()
		}
		p.shut()
		p.tasks.Wait()
	})
	return p
}

// Brokers are the addresses that clients are told, in the order of the brokers behind them.
func (p *Proxy) Brokers() []string { return p.brokers }

// Set makes a rule hold for every message from now on, on connections that are open, too; nil passes all. A connection that
// swallows goes on swallowing.
func (p *Proxy) Set(r Rule) { p.rule.Store(&r) }

// Connections counts the connections that clients have made so far.
func (p *Proxy) Connections() int64 { return p.made.Load() }

func (p *Proxy) shut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for c := range p.live {
		_ = c.Close()
	}
}

// keep remembers a connection until its end; false when the proxy is closed.
func (p *Proxy) keep(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live[c] = struct{}{}
	return !p.closed
}

func (p *Proxy) drop(c net.Conn) {
	_ = c.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.live, c)
}

func (p *Proxy) accept(l net.Listener, broker string) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		p.made.Add(1)
		p.tasks.Go(func() { p.connect(client, broker) })
	}
}

// connect serves one connection until either side ends it.
func (p *Proxy) connect(client net.Conn, broker string) {
	defer p.drop(client)
	server, err := net.Dial("tcp", broker)
	if err != nil {
		return // the client sees its connection closed, as by a port without a listener behind a balancer
	}
	defer p.drop(server)
	if !p.keep(client) || !p.keep(server) {
		return
	}
	l := &link{p: p, asked: map[int32]question{}}
	pump := l.pump
	if p.raw {
		pump = func(to, from net.Conn, _ bool) error { _, err := io.Copy(to, from); return err }
	}
	back := make(chan struct{})
	go func() {
		defer close(back)
		_ = pump(client, server, true) // however it ends, the connection does
		_, _ = client.Close(), server.Close()
	}()
	_ = pump(server, client, false)
	_, _ = client.Close(), server.Close()
	<-back
}
