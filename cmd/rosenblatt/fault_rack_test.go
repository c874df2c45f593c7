package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// racks gives each node a rack of its own, r1 to r3, and restarts it.
func (n *nodes) racks(t *testing.T) {
	t.Helper()
	for node := 1; node <= 3; node++ {
		n.kill(t, node)
		path := filepath.Join(n.dir, fmt.Sprint(node), "server.properties")
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprintf(f, "broker.rack=r%d\n", node); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		n.up(t)
	}
}

// TestFaultReplicaNearbyOverThreeNodes: events and labels come from the replica in the daemon's rack, which leads none
// of them. While it is suspended they come from leaders, and afterwards from it again. The daemon is killed meanwhile.
// Each event is predicted once.
func TestFaultReplicaNearbyOverThreeNodes(t *testing.T) {
	faults(t)
	n, err := newNodes("-n", "3", "broker.session.timeout.ms=5000", "broker.heartbeat.interval.ms=500",
		"replica.lag.time.max.ms=5000",
		"replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector")
	if err != nil {
		t.Fatal(err)
	}
	n.racks(t)
	s := n.setup(t, 1)
	laterSetup(t, s)
	labels := s.Name + ".labels"
	n.whole(t, s.Name, s.Output(), s.DeadLetters(), labels, s.Name+".outcomes")
	node := 1 + n.leader(t, s.Name)%3
	if node == n.leader(t, labels) {
		node = 6 - node - n.leader(t, s.Name) // the third one
	}
	flags := []string{"--labels", labels, "--label-slack", "2s", "--rack", fmt.Sprintf("r%d", node)}
	p := start(t, s, s.Dir, flags...)
	nearby := func(want ...string) {
		t.Helper()
		streamtest.Await(t, fmt.Sprintf("read nearby: %v", want), func() bool {
			body, _ := p.page(t, "status")
			var status struct {
				Nearby []struct {
					Topic             string
					Partition, Broker int
				}
			}
			if err := json.Unmarshal(body, &status); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, x := range status.Nearby {
				if x.Broker == node && x.Partition == 0 {
					got = append(got, x.Topic)
				}
			}
			return strings.Join(got, " ") == strings.Join(want, " ")
		})
	}
	events := 0
	more := func() {
		t.Helper()
		for range 100 {
			id := fmt.Sprint("n", events)
			s.Cluster.Produce(t, s.Name, 0, laterEvents("", id)...)
			s.Cluster.Produce(t, labels, 0, laterEvents(itsLabel, id)...)
			events++
		}
		p.awaitLater(t, fmt.Sprintf("%d outcomes", events), func(st laterStatus) bool {
			return st.Labels.Outcomes["labelled"] == int64(events)
		})
	}
	more()
	nearby(s.Name, labels)
	more()

	n.signal(t, node, syscall.SIGSTOP)
	more()
	nearby()
	p.signal(t, syscall.SIGKILL)
	p.exit(t, time.Minute)
	p = start(t, s, s.Dir, flags...)
	more()
	n.signal(t, node, syscall.SIGCONT)
	n.whole(t, s.Name, s.Output(), s.DeadLetters(), labels, s.Name+".outcomes")
	p.signal(t, syscall.SIGKILL)
	p.exit(t, time.Minute)
	p = start(t, s, s.Dir, flags...)
	more()
	nearby(s.Name, labels)
	p.term(t)
	call(t, "", "verify", "--brokers", strings.Join(s.Cluster.Brokers, ","), "--input", s.Name, "--labels", labels,
		"--state", s.Dir, "--bits", "12").want(t, cli.ExitDone, "verified: ", "")
}
