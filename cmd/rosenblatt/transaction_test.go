package main

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// heldInput is an input of ten events, an open transaction of one, and a hundred more.
func heldInput(t *testing.T) (s *streamtest.Setup, end func(commit bool)) {
	t.Helper()
	s = streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, named("before", 10)...)
	end = s.Cluster.OpenTransaction(t, s.Name, 0, named("open", 1)...)
	s.Cluster.Produce(t, s.Name, 0, named("behind", 100)...)
	return s, end
}

// TestUntilEndSaysWhatIsLeft behind an open transaction (row 43).
func TestUntilEndSaysWhatIsLeft(t *testing.T) {
	t.Parallel()
	s, end := heldInput(t)
	run := []string{"run", "--brokers", strings.Join(s.Cluster.Brokers, ","), "--input", s.Name, "--state", s.Dir,
		"--until-end", "--http", "off", "--bits", "12"}
	const left = "left behind: 101 offsets of partition 0 from 10 on, 101 of them behind an open transaction\n"
	call(t, "", run...).want(t, cli.ExitDone, " 10 predictions, ", "")
	call(t, "", run...).want(t, cli.ExitDone, left, "")
	end(true)
	if got := call(t, "", run...); !strings.Contains(got.stdout, " 111 predictions, ") ||
		strings.Contains(got.stdout, "left behind") {
		t.Errorf("%s%s", got.stdout, got.stderr)
	}
}

// TestOpenTransactionAlerts: Prometheus with the project's rules, but for their times, finds an open transaction in a
// daemon at work, by the alert that names this cause, and its end.
func TestOpenTransactionAlerts(t *testing.T) {
	t.Parallel()
	wholeProgram(t)
	prometheus, err := exec.LookPath("prometheus")
	if err != nil {
		t.Skip("there is no Prometheus here")
	}
	s, end := heldInput(t)
	address := freePort(t)
	daemon := start(t, s, s.Dir, "--http", address)
	daemon.await(t, "ten predictions", func(d daemonStatus) bool { return d.Read == 10 })
	p := scrape(t, prometheus, address, "[5m]", "[5s]", "for: 5m", "for: 1s")
	alerts := func(names ...string) func() bool {
		return func() bool {
			n := len(p.ask(t, `ALERTS{alertstate="firing"}`))
			for _, name := range names {
				n -= len(p.ask(t, fmt.Sprintf(`ALERTS{alertname=%q,alertstate="firing"}`, name)))
			}
			return n == 0 && !slices.ContainsFunc(names, func(name string) bool {
				return len(p.ask(t, fmt.Sprintf(`ALERTS{alertname=%q,alertstate="firing"}`, name))) != 1
			})
		}
	}
	streamtest.Await(t, "the open transaction is noticed", alerts("RosenblattStalled"))
	if held := p.ask(t, "rosenblatt_last_stable_offset_lag_records"); !slices.Equal(held, []float64{101}) {
		t.Errorf("held back: %v", held)
	}
	end(false)
	daemon.await(t, "the rest", func(d daemonStatus) bool { return d.Read == 110 && d.Lag == 0 })
	streamtest.Await(t, "its end is noticed", alerts())
}
