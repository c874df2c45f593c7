package main

import (
	"encoding/binary"
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/cmd/internal/proxytest"
	"rosenblatt/stream/streamtest"
)

// produceRequest decodes a request that writes to a topic, and returns the size of its header. Of another message it
// returns nil.
func produceRequest(m *proxytest.Message, topic string) (req *kmsg.ProduceRequest, header int) {
	if m.Response || m.Key != int16(kmsg.Produce) {
		return nil, 0
	}
	req = kmsg.NewPtrProduceRequest()
	req.SetVersion(m.Version)
	header = 10 + max(0, int(int16(binary.BigEndian.Uint16(m.Body[8:])))) // the client id
	if req.IsFlexible() {
		header++ // the count of tagged fields
	}
	if req.ReadFrom(m.Body[header:]) != nil || len(req.Topics) != 1 || req.Topics[0].Topic != topic {
		return nil, 0
	}
	return req, header
}

// holder holds the first flight of a daemon until it is released, so that the next one has a batch for each partition.
type holder struct {
	t        *testing.T
	topic    string // of the predictions
	released chan struct{}

	mu    sync.Mutex
	first map[string]bool // the requests of the first flight, which may come again
}

func newHolder(t *testing.T, s *streamtest.Setup) *holder {
	return &holder{t: t, topic: s.Output(), released: make(chan struct{}), first: map[string]bool{}}
}

// passes returns when a message may pass. It returns true if that is a request of a flight after the first.
func (h *holder) passes(m *proxytest.Message) bool {
	req, header := produceRequest(m, h.topic)
	if req == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	batches := string(m.Body[header:])
	select {
	case <-h.released:
		return !h.first[batches]
	default:
	}
	h.first[batches] = true
	h.mu.Unlock()
	defer h.mu.Lock()
	select {
	case <-h.released:
	case <-h.t.Context().Done():
	}
	return false
}

func (h *holder) holds() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.first) > 0
}

// release waits until the daemon has learned more records behind the flight that is held, and lets that go. Those are
// in one flight, unless learning takes so long that they fill two: then the learner waits for the writer.
func (h *holder) release(t *testing.T, s *streamtest.Setup, p *process, n, partitions int) {
	t.Helper()
	streamtest.Await(t, "a flight is held", func() bool { p.alive(t); return h.holds() })
	supply(t, s, n, 2)
	var read int64
	moved := time.Now()
	p.await(t, "more is learned", func(got daemonStatus) bool {
		if got.Read > read {
			read, moved = got.Read, time.Now()
		}
		return read >= int64(2*n*partitions) || time.Since(moved) > 5*time.Second
	})
	close(h.released)
}

// flightCut is a rule that lets some batches of one flight through, and then nothing more of what is written.
type flightCut struct {
	topic string
	keep  func(i int) bool // of the batches
	cut   chan struct{}    // closed when the broker has what is kept

	mu   sync.Mutex
	kept int // batches; -1 before the flight
}

func newFlightCut(s *streamtest.Setup, keep func(i int) bool) *flightCut {
	return &flightCut{topic: s.Output(), keep: keep, cut: make(chan struct{}), kept: -1}
}

func (c *flightCut) rule(m *proxytest.Message) proxytest.Verdict {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.Key != int16(kmsg.Produce) {
		return proxytest.Pass
	}
	if c.kept >= 0 {
		if m.Response && c.kept > 0 {
			c.kept = 0
			close(c.cut)
		}
		return proxytest.Swallow
	}
	req, header := produceRequest(m, c.topic)
	if req == nil {
		return proxytest.Pass
	}
	t := &req.Topics[0]
	all := t.Partitions
	t.Partitions = nil
	for i, p := range all {
		if c.keep(i) {
			t.Partitions = append(t.Partitions, p)
		}
	}
	if c.kept = len(t.Partitions); c.kept == 0 {
		close(c.cut)
		return proxytest.Swallow
	}
	m.Body = req.AppendTo(m.Body[:header:header])
	return proxytest.Pass
}

// killed kills the daemon when its flight is cut. verify finds nothing wrong with what it leaves.
func (c *flightCut) killed(t *testing.T, s *streamtest.Setup, p *process) {
	t.Helper()
	streamtest.Await(t, "a flight is cut", func() bool {
		p.alive(t)
		select {
		case <-c.cut:
			return true
		default:
			return false
		}
	})
	p.signal(t, syscall.SIGKILL)
	sound(t, s)
}

// sound audits the setup's topics with the program, and returns how many records may still be predicted.
func sound(t *testing.T, s *streamtest.Setup) (pending int64) {
	t.Helper()
	v, got := verifyJSON(t, "--brokers", s.Cluster.Brokers[0], "--input", s.Name, "--state", s.Dir)
	if !v.OK {
		t.Errorf("verify: exit %d, %+v\n%s", got.code, v.Findings, got.stderr)
	}
	return v.Pending
}

// TestFaultFlightCut: a daemon is killed when the broker has the batches of k partitions of a flight over four, then
// the next one when the broker has every other batch of the completion, or of the next flight. The third completes and
// goes on, exactly (row 66).
func TestFaultFlightCut(t *testing.T) {
	node := oneNode(t)
	t.Parallel()
	const partitions, records = 4, 100
	for k := range partitions + 1 {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			t.Parallel()
			s := node.setup(t, partitions)
			supply(t, s, records, 1)
			proxy := proxytest.Start(t, node.brokers...)
			first, hold := newFlightCut(s, func(i int) bool { return i < k }), newHolder(t, s)
			proxy.Set(func(m *proxytest.Message) proxytest.Verdict {
				if hold.passes(m) || m.Response {
					return first.rule(m)
				}
				return proxytest.Pass
			})
			p := start(t, through(s, proxy.Brokers()...), s.Dir, "--checkpoint-interval", "1h")
			hold.release(t, s, p, records, partitions)
			first.killed(t, s, p)

			second := newFlightCut(s, func(i int) bool { return i%2 == 0 })
			proxy = proxytest.Start(t, node.brokers...)
			proxy.Set(second.rule)
			supply(t, s, records, 3)
			second.killed(t, s, start(t, through(s, proxy.Brokers()...), s.Dir))

			start(t, s, s.Dir, "--until-end").ended(t)
			exact(t, s, s.Dir)
			if pending := sound(t, s); pending != 0 {
				t.Errorf("%d records are not predicted", pending)
			}
		})
	}
}
