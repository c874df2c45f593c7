package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/cmd/internal/proxytest"
	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// longSession is a session timeout that is over long after a test that is in time.
const longSession = "15s"

// failover is some daemons that share a task, each with a link of its own to the brokers.
type failover struct {
	setup *streamtest.Setup
	all   []*machine

	gapSince func(time.Time) time.Duration // the longest time without a prediction that ended since; nil: of the topic
}

func newFailover(t *testing.T, s *streamtest.Setup, n int) *failover {
	t.Helper()
	x := &failover{setup: s}
	for i := range n {
		m := &machine{name: fmt.Sprint("m", i), dir: t.TempDir(), link: proxytest.Start(t, s.Cluster.Brokers...)}
		x.all = append(x.all, m)
		x.start(t, m)
	}
	return x
}

func (x *failover) start(t *testing.T, m *machine) {
	flags := append([]string{"--standby", "--instance", m.name, "--session-timeout", longSession, "--standbys", "3",
		"--checkpoint-topic", x.setup.Name + ".checkpoints", "--create-topics", "--checkpoint-interval", "1s",
		"--log-format", "json"}, m.flags...)
	m.process = start(t, through(x.setup, m.link.Brokers()...), m.dir, flags...)
	m.logs = append(m.logs, m.log)
}

// owner waits until one of the daemons but for one is live, and the others but for that follow, ready.
func (x *failover) owner(t *testing.T, without *machine) (owner *machine) {
	t.Helper()
	for late := streamtest.Timeout(t, time.Minute); ; time.Sleep(20 * time.Millisecond) {
		states := map[string]int{}
		owner = nil
		for _, m := range x.all {
			if m == without {
				continue
			}
			if s := m.status(t); s.Ready {
				states[s.State]++
				if s.State == board.Live {
					owner = m
				}
			}
		}
		others := len(x.all) - 1
		if without != nil {
			others--
		}
		if states[board.Live] == 1 && states[board.Following] == others {
			return owner
		}
		if late.Err() != nil {
			t.Fatalf("the daemons are %v", states)
		}
	}
}

// settled waits until all daemons are in the group and it has not changed for a while: a member that has become warm
// tells so a session's tenth behind its last assignment.
func (x *failover) settled(t *testing.T) {
	t.Helper()
	client, since := x.setup.Client(t), time.Now()
	streamtest.Await(t, "a quiet group", func() bool {
		g, err := client.DescribeGroup(t.Context(), "rosenblatt-"+x.setup.Name+".tasks")
		if err != nil || g.State != "Stable" || len(g.Members) != len(x.all) {
			since = time.Now()
		}
		return time.Since(since) > 2*time.Second
	})
}

// takeovers are how often a daemon took over, by cause.
func (m *machine) takeovers(t *testing.T) map[string]int {
	t.Helper()
	body, _ := m.page(t, "metrics")
	causes := map[string]int{}
	for _, found := range takeoverLine.FindAllStringSubmatch(string(body), -1) {
		n, err := strconv.Atoi(found[2])
		if err != nil {
			t.Fatal(err)
		}
		causes[found[1]] = n
	}
	return causes
}

var takeoverLine = regexp.MustCompile(`(?m)^rosenblatt_takeovers_total\{cause="(\w+)"\} (\d+)$`)

func (m *machine) cut(keep func(*proxytest.Message) bool) {
	m.link.Set(func(message *proxytest.Message) proxytest.Verdict {
		if keep != nil && keep(message) {
			return proxytest.Pass
		}
		return proxytest.Swallow
	})
}

// strike does something to the daemon that predicts, waits until another one does, and undoes it. It returns the
// longest time without a prediction, and why the other one took over.
func (x *failover) strike(t *testing.T, kind string) (gap time.Duration, cause string) {
	t.Helper()
	m := x.owner(t, nil)
	x.settled(t)
	before := map[*machine]map[string]int{}
	for _, other := range x.all {
		before[other] = other.takeovers(t)
	}
	began := time.Now()
	undo := func() {}
	switch kind {
	case "killed":
		m.signal(t, syscall.SIGKILL)
		m.exit(t, time.Minute)
		undo = func() { x.start(t, m) }
	case "stopped":
		m.signal(t, syscall.SIGSTOP)
		undo = func() { m.signal(t, syscall.SIGCONT) }
	case "cut off":
		m.cut(nil)
		undo = func() { m.link.Set(nil) }
	case "cannot write":
		m.cut(func(message *proxytest.Message) bool { return kmsg.Key(message.Key) != kmsg.Produce })
		undo = func() { m.link.Set(nil) }
	}
	next := x.owner(t, m)
	for c, n := range next.takeovers(t) {
		if n > before[next][c] {
			cause = c
		}
	}
	time.Sleep(200 * time.Millisecond) // of predictions, behind the gap
	if x.gapSince != nil {
		time.Sleep(time.Second) // of predictions that are read
		gap = x.gapSince(began)
	} else {
		gap = longestGap(t, x.setup, topics.Output, began.Add(-300*time.Millisecond))
	}
	undo()
	x.owner(t, nil)
	return gap, cause
}

// TestFailover: a daemon that is killed, stopped or cut off is replaced because the others see that nobody predicts,
// and one that cannot write because it tells; long before the session timeout. Every event is predicted once.
func TestFailover(t *testing.T) {
	wholeProgram(t)
	s := streamtest.New(t, streamtest.Start(t), 2)
	x := newFailover(t, s, 3)
	x.owner(t, nil)
	stop := feed(t, s, 2)
	defer stop()
	// Who cannot write is last: it is alive, so it is asked for less and less often.
	for _, kind := range []string{"killed", "stopped", "cut off", "cannot write"} {
		gap, cause := x.strike(t, kind)
		t.Logf("%s: %v without a prediction, %s", kind, gap, cause)
		if cause != "suspected" && (cause != "silent" && cause != "assigned" || kind != "cannot write") {
			t.Errorf("%s: another one took over, and the cause is %q", kind, cause)
			x.tellLogs(t)
		}
	}
	n := stop()
	owner := x.owner(t, nil)
	owner.await(t, "all", func(d daemonStatus) bool { return d.Seq == int64(n) })
	others := slices.DeleteFunc(slices.Clone(x.all), func(m *machine) bool { return m == owner })
	for _, m := range append(others, owner) {
		m.signal(t, syscall.SIGTERM)
		if code := m.exit(t, time.Minute); code != 0 {
			t.Errorf("%s ended with %d:\n%s", m.name, code, m.tail())
		}
	}
	s.Dir = owner.dir
	s.Audit(t)
}

var groupLine = regexp.MustCompile("suspected|group|took over")

// tellLogs logs what the daemons have said of the group.
func (x *failover) tellLogs(t *testing.T) {
	t.Helper()
	for _, m := range x.all {
		for _, log := range m.logs {
			for line := range strings.Lines(log.String()) {
				if groupLine.MatchString(line) {
					t.Logf("%s: %s", m.name, line)
				}
			}
		}
	}
}
