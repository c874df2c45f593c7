package main

import (
	"os"
	"strings"
	"testing"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// envRestarts makes the test below take ten restarts, which take most of a minute.
const envRestarts = "ROSENBLATT_TEST_RESTARTS"

func (p *process) hasEnded() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// TestFaultBrokerRestarts: a broker that is stopped or killed, again and again, closes the connections of requests that
// it has not responded to before, too. A live daemon goes on, and one that starts meanwhile gets live: neither takes it
// for a broker that does not know a request.
func TestFaultBrokerRestarts(t *testing.T) {
	faults(t)
	t.Parallel()
	n, err := newNodes()
	if err != nil {
		t.Fatal(err)
	}
	restarts := 2
	if os.Getenv(envRestarts) != "" {
		restarts = 10
	}
	s := n.setup(t, 2)
	p := start(t, s, s.Dir, "--chunk-records", "32")
	starting := make([]*streamtest.Setup, restarts)
	for i := range starting {
		starting[i] = n.setup(t, 1)
	}
	var others []*process
	var records int64
	for i, own := range starting {
		supply(t, s, 500, uint64(i))
		records += 1000
		other := start(t, own, own.Dir)
		others = append(others, other)
		streamtest.Await(t, "it has begun", func() bool { return strings.Contains(other.log.String(), "starting") })
		how := []string{"-k"}
		if i%2 == 1 {
			how = nil // SIGTERM: the broker closes connections in its own order
		}
		if err := kafkaDown(n.dir, how...); err != nil {
			t.Fatal(err)
		}
		n.up(t)
		p.caughtUp(t, records)
	}
	for i, other := range others {
		streamtest.Await(t, "it is live, or gave up", func() bool {
			return other.hasEnded() || strings.Contains(other.log.String(), "took over")
		})
		if other.hasEnded() { // a start gives up after a minute, which two restarts may take on a busy machine
			name := stops.FenceFailed
			if !strings.Contains(other.log.String(), name) {
				name = stops.Unreachable
			}
			other.stopped(t, name)
			other = start(t, starting[i], starting[i].Dir)
			others[i] = other
		}
		other.caughtUp(t, 0)
		other.exact(t, starting[i])
	}
	p.exact(t, s)
	for _, one := range append(others, p) {
		if strings.Contains(one.log.String(), stops.UnsupportedBroker) {
			t.Errorf("it restarted, and was taken for another kind:\n%s", one.tail())
		}
	}
	if err := kafkaDown(n.dir, "-k"); err != nil {
		t.Error(err)
	}
}
