package main

import (
	"context"
	"os"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/stream/streamtest"
)

// envFailover is how many kills of a daemon that predicts TestFailoverMeasured measures, and five times the number of
// each other fault. Without it the test is skipped.
const envFailover = "ROSENBLATT_TEST_FAILOVER"

// reader reads the predictions as they come, and keeps the times between them that are long.
type reader struct {
	mu   sync.Mutex
	last time.Time
	gaps []gapAt
}

type gapAt struct {
	from time.Time
	long time.Duration
}

func newReader(t *testing.T, s *streamtest.Setup) *reader {
	t.Helper()
	c, err := kgo.NewClient(kgo.SeedBrokers(s.Cluster.Brokers...), kgo.ConsumeTopics(s.Output()),
		kgo.FetchMaxWait(100*time.Millisecond), kgo.ConsumeResetOffset(kgo.NewOffset().AtEnd()))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	x, done := &reader{}, make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			if c.PollFetches(ctx).NumRecords() > 0 {
				x.note(time.Now())
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-done; c.Close() })
	return x
}

func (x *reader) note(now time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if long := now.Sub(x.last); !x.last.IsZero() && long > 100*time.Millisecond {
		x.gaps = append(x.gaps, gapAt{x.last, long})
	}
	x.last = now
}

// longest is the longest time without a prediction that ended after a moment.
func (x *reader) longest(since time.Time) (longest time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, g := range x.gaps {
		if g.from.Add(g.long).After(since) {
			longest = max(longest, g.long)
		}
	}
	return longest
}

// measured are four daemons under 1,000 events/s.
type measured struct {
	*failover
	*reader
	rows map[string][]time.Duration
	why  map[string]map[string]int
}

func newMeasured(t *testing.T, c *streamtest.Cluster) (x *measured, stop func() int) {
	t.Helper()
	const partitions = 2
	s := streamtest.New(t, c, partitions)
	x = &measured{failover: newFailover(t, s, 4), rows: map[string][]time.Duration{}, why: map[string]map[string]int{}}
	x.owner(t, nil)
	stop = feedMany(t, s, partitions, 5)
	x.reader = newReader(t, s)
	x.gapSince = x.longest
	x.settled(t)
	return x, stop
}

func (x *measured) add(kind string, gap time.Duration, cause string) {
	x.rows[kind] = append(x.rows[kind], gap)
	if x.why[kind] == nil {
		x.why[kind] = map[string]int{}
	}
	x.why[kind][cause]++
}

// takenOver are the takeovers of all daemons that run, by cause.
func (x *measured) takenOver(t *testing.T) (sum int) {
	t.Helper()
	for _, m := range x.all {
		for _, n := range m.takeovers(t) {
			sum += n
		}
	}
	return sum
}

// secondDeath kills the successor of a daemon that was killed five seconds before.
func (x *measured) secondDeath(t *testing.T) {
	t.Helper()
	first := x.owner(t, nil)
	x.settled(t)
	began := time.Now()
	first.signal(t, syscall.SIGKILL)
	first.exit(t, time.Minute)
	second := x.owner(t, first)
	time.Sleep(time.Until(began.Add(5 * time.Second)))
	began = time.Now()
	second.signal(t, syscall.SIGKILL)
	second.exit(t, time.Minute)
	rest := &failover{setup: x.setup}
	for _, m := range x.all {
		if m != second {
			rest.all = append(rest.all, m)
		}
	}
	before := map[*machine]map[string]int{}
	for _, m := range rest.all {
		if m != first {
			before[m] = m.takeovers(t)
		}
	}
	third := rest.owner(t, first)
	cause := ""
	for c, n := range third.takeovers(t) {
		if n > before[third][c] {
			cause = c
		}
	}
	time.Sleep(300 * time.Millisecond)
	x.add("second death", x.longest(began), cause)
	x.start(t, first)
	x.start(t, second)
}

// pause stops the daemon that predicts for half a second.
func (x *measured) pause(t *testing.T) {
	t.Helper()
	m := x.owner(t, nil)
	x.settled(t)
	before, began := x.takenOver(t), time.Now()
	m.signal(t, syscall.SIGSTOP)
	time.Sleep(500 * time.Millisecond)
	m.signal(t, syscall.SIGCONT)
	time.Sleep(3 * time.Second)
	cause := "kept"
	if x.takenOver(t) != before {
		cause = "taken over"
	}
	x.add("stopped for 0.5 s", x.longest(began), cause)
}

// tell prints the table.
func (x *measured) tell(t *testing.T) {
	t.Helper()
	for _, kind := range []string{"killed", "cut off", "second death", "stopped for 0.5 s"} {
		g := x.rows[kind]
		if len(g) == 0 {
			continue
		}
		slices.Sort(g)
		at := func(share float64) int64 { return g[int(share*float64(len(g)-1))].Milliseconds() }
		t.Logf("| %s | %d | %d | %d | %d | %d | %v |", kind, len(g), at(0), at(0.5), at(0.9), at(1), x.why[kind])
	}
}

// TestFailoverMeasured prints how long nobody predicts. It is run alone on a cluster of three nodes.
func TestFailoverMeasured(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv(envFailover))
	if err != nil {
		t.Skipf("it measures for long: set %s to a number of kills", envFailover)
	}
	x, stop := newMeasured(t, streamtest.Start(t))
	defer stop()
	defer x.tell(t)
	strike := func(kind string) {
		gap, cause := x.strike(t, kind)
		x.add(kind, gap, cause)
		if gap > 2*time.Second {
			for _, m := range x.all {
				log := m.log.String()
				t.Logf("nobody predicted for %v: %s\n%s", gap, m.name, log[max(0, len(log)-5000):])
			}
		}
	}
	for i := range n {
		strike("killed")
		if i%5 == 0 {
			strike("cut off")
			x.secondDeath(t)
			x.pause(t)
		}
	}
}
