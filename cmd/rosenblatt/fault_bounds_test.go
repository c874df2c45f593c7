package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

// bounded are daemons that share a model with labels, each with a bound of settled ids of its own.
type bounded struct {
	setup  *streamtest.Setup
	labels string
	begin  time.Time
}

func (x *bounded) start(t *testing.T, name, settled string) *process {
	return start(t, x.setup, t.TempDir(), "--standby", "--instance", name, "--session-timeout",
		sessionTimeout.String(), "--log-format", "json", "--create-topics", "--checkpoint-interval", "1h",
		"--checkpoint-topic", x.setup.Name+".checkpoints", "--labels", x.labels, "--outcomes", x.setup.Name+".outcomes",
		"--label-slack", "100ms", "--settled-ids", settled)
}

// produce appends events with these ids, or their labels, a second apart from so many seconds after the beginning on.
// An id that is used again gets the same label again.
func (x *bounded) produce(t *testing.T, topic string, from int, ids ...int) {
	t.Helper()
	var records []kafka.Record
	for i, id := range ids {
		value := fmt.Sprintf(`{"id":%d,"label":%d}`, id, 1-id%2*2)
		if topic == x.setup.Name {
			value = fmt.Sprintf(`{"id":%d,"features":{"x":%d}}`, id, 1+id%3)
		}
		records = append(records, kafka.Record{Value: kafka.NewBytes([]byte(value)),
			Time: x.begin.Add(time.Duration(from+i) * time.Second)})
	}
	x.setup.Cluster.ProduceRecords(t, topic, 0, records...)
}

func awaitState(t *testing.T, p *process, state string, seq int64) {
	t.Helper()
	p.await(t, fmt.Sprint(state, " at ", seq), func(s daemonStatus) bool { return s.State == state && s.Seq >= seq })
}

// TestFaultOtherSettledIDs: a member with another --settled-ids takes over, publishes what the others would decide
// otherwise, and is killed at once, before the saver's first checkpoint (one that is a second late makes the test
// weaker, not red). The others, one with an empty folder, go on from its journal.
func TestFaultOtherSettledIDs(t *testing.T) {
	wholeProgram(t)
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	x := &bounded{setup: s, labels: s.Name + ".labels", begin: time.Now().Add(-time.Hour)}
	s.Cluster.Topic(t, x.labels, 1)
	ids := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	x.produce(t, s.Name, 0, ids...)
	x.produce(t, x.labels, 20, ids...)
	a := x.start(t, "a", "1000")
	awaitState(t, a, board.Live, 20)
	b := x.start(t, "b", "2")
	awaitState(t, b, board.Following, 20)

	client := s.Client(t)
	top, err := client.Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_ = a.Process.Kill()
	<-a.done
	x.produce(t, s.Name, 30, 0, 1, 10, 11, 12)
	streamtest.Await(t, "predictions of b", func() bool {
		b.alive(t)
		now, err := client.Topology(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return now.Output.Partitions[0].End >= top.Output.Partitions[0].End+1+5 // its marker, and five
	})
	_ = b.Process.Kill()
	<-b.done

	c := x.start(t, "c", "1000")
	awaitState(t, c, board.Live, 25)
	a = x.start(t, "a", "1000")
	awaitState(t, a, board.Following, 25)
	x.produce(t, x.labels, 40, 0, 1, 10, 11)
	x.produce(t, s.Name, 50, 20, 21)
	awaitState(t, c, board.Live, 31)
	awaitState(t, a, board.Following, 31)
	for _, p := range []*process{a, c} {
		p.term(t)
	}
	exactLabels(t, x, c)
}

// exactLabels verifies a journal of 17 events and 14 labels, of which each has its outcome.
func exactLabels(t *testing.T, x *bounded, p *process) {
	t.Helper()
	s := x.setup
	v, got := verifyJSON(t, "--brokers", s.Cluster.Brokers[0], "--input", s.Name, "--labels", x.labels, "--outcomes",
		s.Name+".outcomes", "--state", stateOf(p))
	if got.code != cli.ExitDone || !v.OK || v.Predictions != 17 || v.Labels == nil ||
		v.Labels.Outcomes["labelled"] != 14 || v.Labels.Outcomes["duplicate"] != 0 {
		t.Fatalf("exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
}

// stateOf is the --state that a process was started with.
func stateOf(p *process) string {
	for i, a := range p.Args {
		if a == "--state" {
			return p.Args[i+1]
		}
	}
	return ""
}
