// Package proxytest is a proxy between clients and Kafka brokers that injects faults: a test can delay, drop and
// change single messages, and close connections.
//
// In responses it replaces the brokers' addresses by its own, so that all connections use it. For encrypted
// connections there is StartRaw.
package proxytest

import (
	"context"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Proxy has a listener for each broker. Its methods may be called from any goroutine.
type Proxy struct {
	raw     bool
	brokers []string          // addresses of the listeners
	ours    map[string]string // broker's address -> the listener's
	rule    atomic.Pointer[Rule]
	delay   atomic.Int64 // time.Duration
	made    atomic.Int64
	ctx     context.Context // until the end of the test
	tasks   sync.WaitGroup
}

// A Rule decides about each message. It may change Body in place, and it may block, which delays the connection. It
// is called concurrently.
type Rule func(m *Message) Verdict

// Message is a request or a response.
type Message struct {
	Key, Version int16  // of the request
	Response     bool   // else a request
	Broker       int    // its place among those of Start
	Body         []byte // without its length
}

// Verdict is what happens to a message.
type Verdict int

// The verdicts.
const (
	Pass    Verdict = iota
	Swallow         // drop this and all later messages of the connection, in both directions, without closing it
	Cut             // close the connection instead
	CutHalf         // forward half of it, then close the connection
)

// Start starts a proxy for all brokers of a cluster. It ends with the test.
func Start(t testing.TB, brokers ...string) *Proxy { return start(t, false, brokers) }

// StartRaw starts a proxy that forwards bytes: no rules, and responses keep the broker's address.
func StartRaw(t testing.TB, broker string) *Proxy { return start(t, true, []string{broker}) }

func start(t testing.TB, raw bool, brokers []string) *Proxy {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p := &Proxy{raw: raw, ours: map[string]string{}, ctx: ctx}
	t.Cleanup(func() {
		cancel()
		p.tasks.Wait()
	})
	var listeners []net.Listener
	for _, b := range brokers {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		context.AfterFunc(ctx, func() { _ = l.Close() })
		listeners = append(listeners, l)
		p.brokers = append(p.brokers, l.Addr().String())
		p.ours[b] = l.Addr().String()
	}
	for i, l := range listeners {
		p.tasks.Go(func() { p.accept(l, i, brokers[i]) })
	}
	return p
}

// Brokers returns the addresses of the listeners, in the order of the brokers.
func (p *Proxy) Brokers() []string { return p.brokers }

// Set sets the rule for all further messages; nil passes all.
func (p *Proxy) Set(r Rule) { p.rule.Store(&r) }

// Delay makes each message of a connection that is made from now on arrive so much later, in both directions. Unlike a
// Rule that sleeps, it does not make the messages behind it wait longer.
func (p *Proxy) Delay(d time.Duration) { p.delay.Store(int64(d)) }

// Connections returns the number of connections that clients have opened.
func (p *Proxy) Connections() int64 { return p.made.Load() }

func (p *Proxy) accept(l net.Listener, i int, broker string) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		p.made.Add(1)
		p.tasks.Go(func() { p.connect(client, i, broker) })
	}
}

func (p *Proxy) connect(client net.Conn, i int, broker string) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("tcp", broker)
	if err != nil {
		return
	}
	end := func() { _, _ = client.Close(), server.Close() }
	defer end()
	defer context.AfterFunc(p.ctx, end)()
	l := &link{p: p, broker: i, pending: map[int32]request{}}
	pump := func(to, from net.Conn, responses bool) error {
		if p.raw {
			_, err := io.Copy(to, from)
			return err
		}
		return l.pump(newLine(to, time.Duration(p.delay.Load())), from, responses)
	}
	p.tasks.Go(func() {
		defer end()
		_ = pump(client, server, true)
	})
	_ = pump(server, client, false)
}
