package main

import (
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/cmd/internal/proxytest"
	"rosenblatt/stream/streamtest"
)

// nodeCut is a rule for three brokers, one of which dies in a flight: it gets its batches and does not say so, or does
// not get them while another one gets its own.
type nodeCut struct {
	hold   *holder
	broker int  // the one that dies
	gets   bool // the batches

	others atomic.Int64 // responses
	begun  atomic.Bool  // its request has come
	cut    atomic.Bool  // it may die
}

func (c *nodeCut) rule(m *proxytest.Message) proxytest.Verdict {
	later := c.hold.passes(m)
	switch {
	case m.Key != int16(kmsg.Produce):
	case m.Broker != c.broker:
		if m.Response {
			c.others.Add(1)
		}
	case c.begun.Load():
		c.cut.Store(true)
		return proxytest.Swallow
	case later && c.gets:
		c.begun.Store(true)
	case later:
		c.begun.Store(true)
		c.awaitOthers()
		c.cut.Store(true)
		return proxytest.Swallow
	}
	return proxytest.Pass
}

// awaitOthers returns when another broker has responded. One may have done so before.
func (c *nodeCut) awaitOthers() {
	had := c.others.Load()
	for end := time.Now().Add(2 * time.Second); c.others.Load() == had && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// TestFaultFlightOverThreeNodes: one of three brokers dies within a flight. The daemon sends its batches again, to the
// brokers that lead its partitions now, under the same epoch; where the daemon dies too, the next one completes the
// flight; exactly in either case (row 66).
func TestFaultFlightOverThreeNodes(t *testing.T) {
	n := threeNodes(t)
	for _, c := range []struct {
		name       string
		gets, dies bool
	}{{"not delivered", false, false}, {"not acknowledged", true, false}, {"the daemon too", false, true}} {
		t.Run(c.name, func(t *testing.T) { n.cutFlight(t, c.gets, c.dies) })
	}
}

// cutFlight kills a node within a flight; gets: when it has its batches; dies: the daemon too.
func (n *nodes) cutFlight(t *testing.T, gets, dies bool) {
	t.Helper()
	const partitions, records = 6, 100
	n.up(t)
	s := n.setup(t, partitions)
	n.whole(t, s.Name, s.Output(), s.DeadLetters())
	supply(t, s, records, 1)
	node := n.leader(t, s.Output())
	rule := &nodeCut{hold: newHolder(t, s), broker: node - 1, gets: gets}
	proxy := proxytest.Start(t, n.brokers...)
	proxy.Set(rule.rule)
	p := start(t, through(s, proxy.Brokers()...), s.Dir, "--checkpoint-interval", "1h")
	rule.hold.release(t, s, p, records, partitions)
	streamtest.Await(t, "the flight is cut", func() bool { p.alive(t); return rule.cut.Load() })
	if dies {
		p.signal(t, syscall.SIGKILL)
	}
	n.kill(t, node)
	proxy.Set(nil)
	supply(t, s, records, 3)
	if dies {
		start(t, s, s.Dir, "--until-end").ended(t)
	} else {
		p.caughtUp(t, 3*partitions*records)
		if got := p.status(t); got.Epoch != 1 {
			t.Errorf("epoch %d: there was a takeover", got.Epoch)
		}
		p.term(t)
	}
	n.up(t)
	exact(t, s, s.Dir)
	if pending := sound(t, s); pending != 0 {
		t.Errorf("%d records are not predicted", pending)
	}
	n.whole(t, s.Name, s.Output(), s.DeadLetters())
}
