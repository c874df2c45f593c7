package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kadm"

	"rosenblatt/stream/streamtest"
)

// envTransaction is for how long a transaction is open: 20 s where it is not set.
const envTransaction = "ROSENBLATT_TEST_TRANSACTION"

// laterStatus is what these tests read of a daemon with later labels.
type laterStatus struct {
	Read    int64
	Notices []string
	Labels  struct {
		Outcomes map[string]int64
		Rejected map[string]int64
		Held     int `json:"held_partitions"`
	}
}

func (p *process) later(t *testing.T) (s laterStatus) {
	t.Helper()
	body, _ := p.page(t, "status")
	if err := json.Unmarshal(body, &s); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return s
}

func (p *process) awaitLater(t *testing.T, what string, cond func(laterStatus) bool) {
	t.Helper()
	streamtest.Await(t, what, func() bool { return cond(p.later(t)) })
}

// laterEvents are events, or with a label their labels.
func laterEvents(label string, ids ...string) (out []string) {
	for _, id := range ids {
		out = append(out, fmt.Sprintf(`{"id":%q,"x":1%s}`, id, label))
	}
	return out
}

const itsLabel = `,"label":1`

// goesOn sends an event a second to a partition, and their labels to another, for as long as done says, and returns the
// longest time until a prediction: by the daemon's own count.
func (p *process) goesOn(t *testing.T, s *streamtest.Setup, events, labels int, done func() bool) (
	sent int, longest time.Duration) {
	t.Helper()
	for ; sent == 0 || !done(); sent++ {
		id := fmt.Sprintf("o%d", sent)
		before := p.later(t).Read
		began := time.Now()
		s.Cluster.Produce(t, s.Name, events, laterEvents("", id)...)
		p.awaitLater(t, "a prediction", func(st laterStatus) bool { return st.Read > before })
		longest = max(longest, time.Since(began))
		s.Cluster.Produce(t, s.Name+".labels", labels, laterEvents(itsLabel, id)...)
		time.Sleep(time.Until(began.Add(time.Second))) // the rate, not a wait for something
	}
	return sent, longest
}

func laterSetup(t *testing.T, s *streamtest.Setup) {
	t.Helper()
	s.Cluster.Topic(t, s.Name+".labels", 2)
	s.Cluster.Topic(t, s.Name+".outcomes", 2)
}

func startLater(t *testing.T, s *streamtest.Setup) *process {
	t.Helper()
	return start(t, s, s.Dir, "--labels", s.Name+".labels", "--label-slack", "2s")
}

// TestFaultLabelsOfOpenTransaction: while a transaction is open in one partition of the events, with labels of it
// stored already, events of the others are predicted within a second, and no label is lost, of a backfill neither.
func TestFaultLabelsOfOpenTransaction(t *testing.T) {
	wholeProgram(t)
	open, err := time.ParseDuration(cmp.Or(os.Getenv(envTransaction), "20s"))
	if err != nil {
		t.Fatal(err)
	}
	s := streamtest.New(t, streamtest.Start(t), 2)
	laterSetup(t, s)
	d := startLater(t, s)
	s.Cluster.Produce(t, s.Name, 1, laterEvents("", "first")...)
	d.awaitLater(t, "a prediction", func(st laterStatus) bool { return st.Read == 1 })
	end := s.Cluster.OpenTransaction(t, s.Name, 0, laterEvents("", "t1", "t2", "t3")...)
	s.Cluster.Produce(t, s.Name+".labels", 0, laterEvents(itsLabel, "t1", "t2", "t3", "first")...)
	until := time.Now().Add(open)
	sent, longest := d.goesOn(t, s, 1, 1, func() bool { return time.Now().After(until) })
	st := d.later(t)
	t.Logf("%d events during %v, each predicted within %v", sent, open, longest)
	if longest > time.Second || st.Labels.Rejected["no-example"] > 0 || st.Labels.Held != 1 {
		t.Errorf("%+v", st)
	}
	if open > time.Minute && !slices.ContainsFunc(st.Notices, func(n string) bool {
		return strings.HasPrefix(n, "labels held: partition 0")
	}) {
		t.Errorf("%q", st.Notices)
	}
	end(true)
	labelled := int64(4 + sent)
	d.awaitLater(t, "the labels of the transaction", func(st laterStatus) bool {
		return st.Labels.Outcomes["labelled"] == labelled
	})

	// A backfill at its original times, whose labels are stored a second before their events.
	old := time.Now().Add(-3 * time.Hour) // within the waiting
	for i := range 5 {
		ids := []string{fmt.Sprint("b", i), fmt.Sprint("c", i)}
		of := func(values []string) (out []kafka.Record) {
			for _, v := range values {
				out = append(out, kafka.Record{Time: old.Add(time.Duration(i) * time.Minute),
					Value: kafka.NewBytes([]byte(v))})
			}
			return out
		}
		all := append(slices.Clone(ids), fmt.Sprint("none", i))
		s.Cluster.ProduceRecords(t, s.Name+".labels", 0, of(laterEvents(itsLabel, all...))...)
		time.Sleep(time.Second) // so much later its events are stored
		s.Cluster.ProduceRecords(t, s.Name, i%2, of(laterEvents("", ids...))...)
	}
	d.awaitLater(t, "the labels of a backfill", func(st laterStatus) bool {
		return st.Labels.Outcomes["labelled"] == labelled+10 && st.Labels.Rejected["no-example"] == 5
	})
	d.term(t)
	call(t, "", "verify", "--brokers", strings.Join(s.Cluster.Brokers, ","), "--input", s.Name, "--labels",
		s.Name+".labels", "--state", s.Dir).want(t, 0, "", "")
}

// TestFaultPartitionWithoutLeader: with one partition of the events, or of the labels, without a leader, events of the
// others are predicted within a second, and no label is lost.
func TestFaultPartitionWithoutLeader(t *testing.T) {
	n := threeNodes(t)
	const node = 3
	for _, lost := range []string{"", ".labels"} {
		t.Run("events"+lost, func(t *testing.T) {
			n.up(t)
			s := n.setup(t, 2)
			laterSetup(t, s)
			adm := n.admin(t)
			var only kadm.AlterPartitionAssignmentsReq
			only.Assign(s.Name+lost, 0, []int32{node})
			if _, err := adm.AlterPartitionAssignments(context.Background(), only); err != nil {
				t.Fatal(err)
			}
			leads := func(topic string, p int32, ok func(kadm.PartitionDetail) bool) func() bool {
				return func() bool {
					m, err := adm.Metadata(context.Background(), topic)
					return err == nil && ok(m.Topics[topic].Partitions[p])
				}
			}
			streamtest.Await(t, "one replica", leads(s.Name+lost, 0, func(p kadm.PartitionDetail) bool {
				return len(p.Replicas) == 1 && p.Leader == node
			}))
			n.whole(t, s.Name, s.Output(), s.DeadLetters(), s.Name+".labels", s.Name+".outcomes")
			d := startLater(t, s)
			s.Cluster.Produce(t, s.Name, 0, laterEvents("", "l1")...)
			s.Cluster.Produce(t, s.Name, 1, laterEvents("", "l2")...)
			s.Cluster.Produce(t, s.Name+".labels", 0, laterEvents(itsLabel, "l1")...)
			d.awaitLater(t, "a label", func(st laterStatus) bool { return st.Labels.Outcomes["labelled"] == 1 })
			n.kill(t, node)
			streamtest.Await(t, "no leader", leads(s.Name+lost, 0, func(p kadm.PartitionDetail) bool {
				return p.Leader < 0
			}))
			for _, topic := range []string{s.Output(), s.DeadLetters(), s.Name + ".outcomes"} {
				streamtest.Await(t, "another leader", leads(topic, 0, func(p kadm.PartitionDetail) bool {
					return p.Leader > 0 && p.Leader != node
				}))
			}
			s.Cluster.Produce(t, s.Name, 1, laterEvents("", "l3")...)
			d.awaitLater(t, "a prediction", func(st laterStatus) bool { return st.Read == 3 })
			s.Cluster.Produce(t, s.Name+".labels", 1, laterEvents(itsLabel, "l2", "l3", "away")...)
			until := time.Now().Add(15 * time.Second)
			sent, longest := d.goesOn(t, s, 1, 1, func() bool { return time.Now().After(until) })
			st := d.later(t)
			t.Logf("%d events, each predicted within %v: %q", sent, longest, st.Notices)
			if longest > time.Second || !slices.ContainsFunc(st.Notices, func(n string) bool {
				return strings.HasPrefix(n, "unasked: the leader of partition 0 of the ")
			}) {
				t.Errorf("%v: %q", longest, st.Notices)
			}
			n.up(t)
			d.awaitLater(t, "all labels", func(st laterStatus) bool {
				return st.Labels.Outcomes["labelled"] == int64(3+sent) && st.Labels.Rejected["no-example"] == 1
			})
			d.term(t)
		})
	}
}
