package main

import (
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/cmd/internal/proxytest"
	"rosenblatt/stream/streamtest"
)

// between makes topics with n records in each of two partitions and starts the daemon behind a proxy with this rule.
func between(t *testing.T, n int, rule proxytest.Rule, flags ...string) (*streamtest.Setup, *process,
	*proxytest.Proxy) {
	t.Helper()
	node := oneNode(t)
	t.Parallel()
	s := node.setup(t, 2)
	supply(t, s, n, 1)
	proxy := proxytest.Start(t, node.brokers...)
	proxy.Set(rule)
	return s, start(t, through(s, proxy.Brokers()...), s.Dir, append([]string{"--chunk-records", "64"}, flags...)...),
		proxy
}

// every is a rule that gives a verdict on every nth message that fits, and counts these.
func every(n int64, verdict proxytest.Verdict, fits func(*proxytest.Message) bool) (proxytest.Rule, *atomic.Int64) {
	var seen, hit atomic.Int64
	return func(m *proxytest.Message) proxytest.Verdict {
		if !fits(m) || seen.Add(1)%n != 0 {
			return proxytest.Pass
		}
		hit.Add(1)
		return verdict
	}, &hit
}

func responseTo(key kmsg.Key, longer int) func(*proxytest.Message) bool {
	return func(m *proxytest.Message) bool { return m.Response && m.Key == int16(key) && len(m.Body) > longer }
}

// TestFaultAcknowledgementLost: the connection is cut when the broker has written a batch and says so. The daemon sends
// the same bytes again and nothing is duplicated (row 19).
func TestFaultAcknowledgementLost(t *testing.T) {
	rule, hits := every(4, proxytest.Cut, responseTo(kmsg.Produce, 0))
	s, p, _ := between(t, 2000, rule)
	p.caughtUp(t, 4000)
	p.exact(t, s)
	if hits.Load() < 10 {
		t.Errorf("only %d acknowledgements were lost", hits.Load())
	}
}

// TestFaultAcknowledgementSwallowed: the same, but the connection stays open and silent: the daemon gives it up at its
// time limit (rows 19, 20, 26).
func TestFaultAcknowledgementSwallowed(t *testing.T) {
	rule, hits := every(30, proxytest.Swallow, responseTo(kmsg.Produce, 0))
	s, p, proxy := between(t, 1500, rule)
	streamtest.Await(t, "an acknowledgement is swallowed", func() bool { p.alive(t); return hits.Load() > 0 })
	began := time.Now()
	proxy.Set(nil)
	p.caughtUp(t, 3000)
	t.Logf("over it after %v", time.Since(began).Round(time.Millisecond))
	p.exact(t, s)
}

// rounds supplies a few records again and again, so that there are many fetches.
func rounds(t *testing.T, s *streamtest.Setup, p *process, had int64) {
	t.Helper()
	for i := range int64(15) {
		supply(t, s, 30, uint64(10+i))
		p.caughtUp(t, had+60*(i+1))
	}
}

// TestFaultCutInMidFetch: connections end in the middle of fetched records (row 24).
func TestFaultCutInMidFetch(t *testing.T) {
	rule, hits := every(2, proxytest.CutHalf, responseTo(kmsg.Fetch, 1000))
	s, p, _ := between(t, 30, rule)
	rounds(t, s, p, 60)
	p.exact(t, s)
	if hits.Load() < 4 {
		t.Errorf("only %d fetches were cut", hits.Load())
	}
}

// TestFaultCorruptedFetch: bytes of fetched records change on the wire. The checksum finds it, the batch is fetched
// again over another connection (row 25).
func TestFaultCorruptedFetch(t *testing.T) {
	rule, hits := corrupt(3, responseTo(kmsg.Fetch, 1000))
	s, p, _ := between(t, 30, rule)
	rounds(t, s, p, 60)
	p.exact(t, s)
	if hits.Load() < 3 {
		t.Errorf("only %d fetches were corrupted", hits.Load())
	}
}

// corrupt is a rule that flips a bit in the last third of every nth message that fits: there are records.
func corrupt(n int64, fits func(*proxytest.Message) bool) (proxytest.Rule, *atomic.Int64) {
	var seen, hit atomic.Int64
	return func(m *proxytest.Message) proxytest.Verdict {
		if fits(m) && seen.Add(1)%n == 0 {
			m.Body[len(m.Body)-1-int(hit.Add(1))%(len(m.Body)/3)] ^= 8
		}
		return proxytest.Pass
	}, &hit
}

// TestFaultCorruptedProduce: bytes of predictions change on their way to the broker, which refuses them; the daemon
// sends them again.
func TestFaultCorruptedProduce(t *testing.T) {
	rule, hits := corrupt(5, func(m *proxytest.Message) bool {
		return !m.Response && m.Key == int16(kmsg.Produce) && len(m.Body) > 3000
	})
	s, p, _ := between(t, 2000, rule)
	p.caughtUp(t, 4000)
	p.exact(t, s)
	if hits.Load() < 3 {
		t.Errorf("only %d batches were corrupted", hits.Load())
	}
}

// TestFaultBlackHole: the network loses every byte, without a word. /readyz says so; when it is back the daemon is too,
// exactly (row 26). Then it is lost for good and SIGTERM ends the daemon in time (row 16).
func TestFaultBlackHole(t *testing.T) {
	s, p, proxy := between(t, 200, nil)
	p.caughtUp(t, 400)
	proxy.Set(func(*proxytest.Message) proxytest.Verdict { return proxytest.Swallow })
	supply(t, s, 200, 2)
	got := p.await(t, "it notices", func(s daemonStatus) bool { return s.Trouble != nil && !s.Ready })
	t.Log(got.Reasons)
	before := proxy.Connections()
	began := time.Now()
	p.await(t, "readyz says it", func(s daemonStatus) bool {
		return strings.Contains(strings.Join(s.Reasons, " "),
			"brokers in trouble")
	})
	if made := proxy.Connections() - before; made > 10+int64(10*time.Since(began).Seconds()) {
		t.Errorf("%d connections in %v", made, time.Since(began))
	}
	proxy.Set(nil)
	p.caughtUp(t, 800)
	proxy.Set(func(*proxytest.Message) proxytest.Verdict { return proxytest.Swallow })
	supply(t, s, 200, 3)
	p.signal(t, syscall.SIGTERM)
	if code := p.exit(t, 20*time.Second); code != 0 && code != 1 {
		t.Fatalf("exit %d:\n%s", code, p.tail())
	}
	start(t, s, s.Dir, "--until-end").ended(t)
	exact(t, s, s.Dir)
}

// TestFaultDelays: every message takes 20 ms longer each way, and connections die at random, in both directions (rows
// 19, 24).
func TestFaultDelays(t *testing.T) {
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(1, 2))
	verdicts := []proxytest.Verdict{proxytest.Cut, proxytest.CutHalf}
	s, p, proxy := between(t, 1500, func(m *proxytest.Message) proxytest.Verdict {
		time.Sleep(20 * time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		if r.IntN(40) == 0 {
			return verdicts[r.IntN(2)]
		}
		return proxytest.Pass
	})
	p.caughtUp(t, 3000)
	p.exact(t, s)
	t.Logf("%d connections", proxy.Connections())
}

// slowMemory is the most that a daemon with 2^12 weights and two partitions may hold while its output hardly moves.
const slowMemory = 64 << 20

// TestFaultSlowOutput: acknowledgements take a second each. The daemon stops fetching when its chunks are full, its
// memory stays within bounds, and when the output is quick again all is predicted (row 27).
func TestFaultSlowOutput(t *testing.T) {
	var slow atomic.Bool
	var fetched, acks atomic.Int64
	slow.Store(true)
	s, p, _ := between(t, 120_000, func(m *proxytest.Message) proxytest.Verdict {
		switch {
		case responseTo(kmsg.Fetch, 1000)(m):
			fetched.Add(int64(len(m.Body)))
		case responseTo(kmsg.Produce, 0)(m) && slow.Load():
			acks.Add(1)
			time.Sleep(time.Second)
		}
		return proxytest.Pass
	})
	streamtest.Await(t, "six slow acknowledgements", func() bool { p.alive(t); return acks.Load() >= 6 })
	late, got := fetched.Load(), p.status(t)
	if late > 14<<20 || got.Lag < 180_000 {
		t.Errorf("%d bytes fetched after six acknowledgements, lag %d", late, got.Lag)
	}
	slow.Store(false)
	p.caughtUp(t, 240_000)
	if all := fetched.Load(); all < 15<<20 {
		t.Errorf("the input has %d bytes only: what was fetched of it says nothing", all)
	}
	if peak := memory(p); peak > slowMemory {
		t.Errorf("%d MB resident at most", peak>>20)
	} else {
		t.Logf("%d MB resident at most, %d bytes fetched while the output was slow", peak>>20, late)
	}
	p.exact(t, s)
}
