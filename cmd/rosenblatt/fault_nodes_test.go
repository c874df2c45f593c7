package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// leader is the node that leads partition 0 of a topic.
func (n *nodes) leader(t *testing.T, topic string) (node int) {
	t.Helper()
	adm := n.admin(t)
	streamtest.Await(t, "a leader", func() bool {
		m, err := adm.Metadata(context.Background(), topic)
		if err == nil {
			node = int(m.Topics[topic].Partitions[0].Leader)
		}
		return err == nil && node > 0
	})
	return node
}

// coordinator is the node that coordinates the setup's transactions, or the offsets of its group.
func (n *nodes) coordinator(t *testing.T, s *streamtest.Setup, group bool) (node int) {
	t.Helper()
	adm := n.admin(t)
	streamtest.Await(t, "a coordinator", func() bool {
		var res kadm.FindCoordinatorResponses
		if group {
			res = adm.FindGroupCoordinators(context.Background(), "rosenblatt-"+s.Name)
		} else {
			res = adm.FindTxnCoordinators(context.Background(), "rosenblatt."+s.Output())
		}
		for _, r := range res {
			node = int(r.NodeID)
		}
		return res.Error() == nil && node > 0
	})
	return node
}

// whole waits until every partition of the topics has all replicas in sync: from here on any one node may die.
func (n *nodes) whole(t *testing.T, topics ...string) {
	t.Helper()
	adm := n.admin(t)
	streamtest.Await(t, "all replicas in sync", func() bool {
		m, err := adm.Metadata(context.Background(), append(topics, "__consumer_offsets", "__transaction_state")...)
		if err != nil {
			return false
		}
		for _, topic := range m.Topics {
			for _, p := range topic.Partitions {
				if len(p.ISR) < len(p.Replicas) || len(p.Replicas) == 0 {
					return false
				}
			}
		}
		return true
	})
}

// TestFaultLeaderLost: kill -9 of the node that leads the output, then of the one that leads the input, each while
// records come in; the daemon follows by itself, exactly. At last the coordinator of its transactions dies with it, so
// that the takeover has to wait for another one (row 18).
func TestFaultLeaderLost(t *testing.T) {
	n := threeNodes(t)
	s := n.setup(t, 2)
	p := start(t, s, s.Dir, "--chunk-records", "32")
	records := int64(0)
	more := func(count int) {
		supply(t, s, count, uint64(records))
		records += 2 * int64(count)
	}
	more(200)
	p.caughtUp(t, records)
	for _, role := range []struct {
		name string
		node func() int
	}{
		{"leads the output", func() int { return n.leader(t, s.Output()) }},
		{"leads the input", func() int { return n.leader(t, s.Name) }},
	} {
		n.whole(t, s.Name, s.Output(), s.DeadLetters())
		node := role.node()
		t.Logf("the group is coordinated by node %d", n.coordinator(t, s, true))
		more(1000)
		n.kill(t, node)
		more(200)
		p.caughtUp(t, records)
		t.Logf("node %d, which %s, was killed: %d records passed", node, role.name, records)
		n.up(t)
	}
	n.whole(t, s.Name, s.Output(), s.DeadLetters())
	node := n.coordinator(t, s, false)
	more(1000)
	p.signal(t, syscall.SIGKILL)
	n.kill(t, node)
	start(t, s, s.Dir, "--until-end").ended(t)
	if o := exact(t, s, s.Dir); int64(len(o.Predictions)+len(o.DeadLetters)) != records {
		t.Errorf("%d predictions and %d dead letters of %d records", len(o.Predictions), len(o.DeadLetters), records)
	}
	n.up(t)
}

// TestFaultGivenBrokerLost: kill -9 of the only node that --brokers names. The daemon goes on with those that the
// metadata named, and takes over from them; to the brokers that are left, nothing is missing (row 90).
func TestFaultGivenBrokerLost(t *testing.T) {
	n := threeNodes(t)
	s := n.setup(t, 3) // each node leads one
	given := *s
	given.Cluster = streamtest.Connect(t, n.brokers[0])
	p := start(t, &given, s.Dir)
	supply(t, s, 200, 1)
	p.caughtUp(t, 600)
	n.whole(t, s.Name, s.Output(), s.DeadLetters())
	n.kill(t, 1)
	began := time.Now()
	supply(t, s, 200, 2)
	p.caughtUp(t, 1200)
	t.Logf("%v after the node was killed, all was predicted", time.Since(began).Round(time.Millisecond))
	s.Cluster.AddPartitions(t, s.Output(), 4) // leads to a takeover
	s.Cluster.AddPartitions(t, s.Name, 4)
	supply(t, s, 100, 3)
	p.caughtUp(t, 1600)
	p.exact(t, s)
	n.up(t)
	n.whole(t, s.Name, s.Output(), s.DeadLetters())
}

// TestFaultTooFewReplicas: the output wants three replicas and one node is dead. The daemon waits, says so and shows
// the lag; when the node is back it goes on exactly (row 22).
func TestFaultTooFewReplicas(t *testing.T) {
	n := threeNodes(t)
	s := n.setup(t, 1)
	s.Cluster.SetConfig(t, s.Output(), "min.insync.replicas", "3")
	n.whole(t, s.Name, s.Output(), s.DeadLetters())
	p := start(t, s, s.Dir)
	supply(t, s, 100, 1)
	p.caughtUp(t, 100)
	node := n.leader(t, s.Output())%3 + 1
	n.kill(t, node)
	streamtest.Await(t, "the node is missed", func() bool {
		m, err := n.admin(t).Metadata(context.Background(), s.Output())
		return err == nil && len(m.Topics[s.Output()].Partitions[0].ISR) == 2
	})
	end := bounds(t, s).Output.Partitions[0].End
	supply(t, s, 3000, 2)
	got := p.await(t, "it says so", func(s daemonStatus) bool {
		return s.Trouble != nil && strings.Contains(s.Trouble.Text, "NOT_ENOUGH_REPLICAS") &&
			strings.Contains(strings.Join(s.Reasons, " "), "brokers in trouble") &&
			strings.Contains(p.log.String(), "Kafka: trying again")
	})
	if got.Ready {
		t.Errorf("%+v", got)
	}
	supply(t, s, 10_000, 3)
	got = p.await(t, "the lag grows", func(s daemonStatus) bool { return s.Lag > 0 })
	if now := bounds(t, s).Output.Partitions[0].End; now != end {
		t.Errorf("the output grew from %d to %d", end, now)
	}
	t.Logf("lag %d, %s", got.Lag, got.Reasons)
	n.up(t)
	p.caughtUp(t, 13_100)
	p.exact(t, s)
}

// TestFaultAppendedTimedOut: both followers of the output sleep, so the leader writes the batch and then responds that
// it timed out. The same batch again is recognised (row 20).
func TestFaultAppendedTimedOut(t *testing.T) {
	n := threeNodes(t)
	s := n.setup(t, 1)
	n.whole(t, s.Name, s.Output(), s.DeadLetters())
	supply(t, s, 6000, 1)
	p := start(t, s, s.Dir, "--chunk-records", "16")
	streamtest.Await(t, "some predictions", func() bool { p.alive(t); return predicted(t, s.Client(t)) > 200 })
	leads := n.leader(t, s.Output())
	for node := 1; node <= 3; node++ {
		if node != leads {
			n.signal(t, node, syscall.SIGSTOP)
			t.Cleanup(func() { n.signal(t, node, syscall.SIGCONT) })
		}
	}
	got := p.await(t, "a timeout", func(s daemonStatus) bool {
		return s.Trouble != nil &&
			strings.Contains(s.Trouble.Text, "produce to")
	})
	t.Log(got.Trouble.Text)
	for node := 1; node <= 3; node++ {
		if node != leads {
			n.signal(t, node, syscall.SIGCONT)
		}
	}
	p.caughtUp(t, 6000)
	p.exact(t, s)
}

// signal sends a signal to a node.
func (n *nodes) signal(t *testing.T, node int, sig syscall.Signal) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(n.dir, strconv.Itoa(node), "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err == nil {
		err = syscall.Kill(pid, sig)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFaultLogCut: the only replica of the input loses the second half of its log, as a disk does that was not flushed.
// The daemon stops under way and at the next start, with both offsets; with --accept it goes on at the log's end (row
// 30).
func TestFaultLogCut(t *testing.T) {
	n := threeNodes(t)
	s := n.setup(t, 1)
	node := n.leader(t, s.Name)
	assign := kadm.AlterPartitionAssignmentsReq{}
	assign.Assign(s.Name, 0, []int32{int32(node)})
	if res, err := n.admin(t).AlterPartitionAssignments(context.Background(), assign); err != nil ||
		res.Error() != nil {
		t.Fatal(err, res.Error())
	}
	streamtest.Await(t, "one replica", func() bool {
		m, err := n.admin(t).Metadata(context.Background(), s.Name)
		return err == nil && len(m.Topics[s.Name].Partitions[0].Replicas) == 1
	})
	p := start(t, s, s.Dir)
	for i := range 10 {
		supply(t, s, 30, uint64(i))
	}
	p.caughtUp(t, 300)
	n.kill(t, node)
	n.cut(t, node, s.Name)
	n.up(t)
	p.stopped(t, stops.BeyondEnd, "300")
	end := bounds(t, s).Input.Partitions[0].End
	if end <= 0 || end >= 300 {
		t.Fatalf("the log ends at %d", end)
	}
	start(t, s, s.Dir).stopped(t, stops.BeyondEnd, fmt.Sprint(end), "300", "--accept beyond-end")
	p = start(t, s, s.Dir, "--accept", stops.BeyondEnd)
	p.await(t, "it is live", func(s daemonStatus) bool { return s.State == board.Live })
	supply(t, s, 30, 99)
	p.await(t, "it goes on", func(s daemonStatus) bool { return s.Seq == 319 }) // one of thirty is no event
	p.term(t)
	predictions := published(t, s)
	if last := predictions[len(predictions)-1]; len(predictions) != 319 || predictions[290].Offset != end ||
		last.Offset != end+29 {
		t.Errorf("%d predictions, the 291st to offset %d, the last to %d; the log ended at %d", len(predictions),
			predictions[290].Offset, last.Offset, end)
	}
	n.whole(t, s.Output(), s.DeadLetters())
}

// cut takes the second half of a partition's log away from a node that is down. Kafka rebuilds the indexes.
func (n *nodes) cut(t *testing.T, node int, topic string) {
	t.Helper()
	dir := filepath.Join(n.dir, strconv.Itoa(node), "logs", topic+"-0")
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		switch filepath.Ext(path) {
		case ".log":
			info, err := f.Info()
			if err == nil {
				err = os.Truncate(path, info.Size()/2)
			}
			if err != nil {
				t.Fatal(err)
			}
		case ".index", ".timeindex", ".snapshot":
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestFaultUncleanElection: the only replica in sync of the input dies, and one that lacks what was acknowledged since
// leads: what producers write then fills the place of records that were predicted. A daemon that is live, and did not
// run meanwhile, stops, though the log goes on beyond its position (row 92).
func TestFaultUncleanElection(t *testing.T) {
	n := threeNodes(t)
	s := n.setup(t, 1)
	s.Cluster.SetConfig(t, s.Name, "unclean.leader.election.enable", "true")
	first := n.leader(t, s.Name)
	second := first%3 + 1
	assign := kadm.AlterPartitionAssignmentsReq{}
	assign.Assign(s.Name, 0, []int32{int32(first), int32(second)})
	if res, err := n.admin(t).AlterPartitionAssignments(context.Background(), assign); err != nil ||
		res.Error() != nil {
		t.Fatal(err, res.Error())
	}
	inSync := func(want int) {
		t.Helper()
		streamtest.Await(t, fmt.Sprintf("%d replicas in sync", want), func() bool {
			m, err := n.admin(t).Metadata(context.Background(), s.Name)
			if err != nil || len(m.Topics[s.Name].Partitions) == 0 {
				return false
			}
			p := m.Topics[s.Name].Partitions[0]
			return len(p.Replicas) == 2 && len(p.ISR) == want
		})
	}
	inSync(2)
	p := start(t, s, s.Dir)
	supply(t, s, 300, 1)
	p.caughtUp(t, 300)
	n.whole(t, s.Output(), s.DeadLetters())
	n.kill(t, second)
	inSync(1)
	supply(t, s, 300, 2)
	p.caughtUp(t, 600)
	p.signal(t, syscall.SIGSTOP)
	n.kill(t, first)
	n.up(t, "-i", strconv.Itoa(second))
	supply(t, s, 900, 3)
	if end := bounds(t, s).Input.Partitions[0].End; end != 1200 {
		t.Fatalf("the log ends at %d: nothing was lost", end)
	}
	p.signal(t, syscall.SIGCONT)
	p.stopped(t, stops.BeyondEnd, "leader epoch", "from offset 300 on", "600")
	n.up(t)
	n.whole(t, s.Output(), s.DeadLetters())
}
