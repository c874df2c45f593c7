package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/proxytest"
	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// TestFaultOneModelStops: two daemons share three models and sleep while records of one partition are deleted beyond
// its model's position. That model stops at each of them, once, and they go on with the others, exactly. Told to end,
// they say why with exit code 4; one daemon that accepts the stop goes on with all models.
func TestFaultOneModelStops(t *testing.T) {
	const partitions, gone, before, after = 3, 1, 400, 400
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, partitions)
	supply(t, s, before, 1)
	x := &machines{setup: s, models: partitions, client: s.Client(t)}
	for i := range 2 {
		m := &machine{name: fmt.Sprint("m", i), dir: t.TempDir(), link: proxytest.Start(t, n.brokers...)}
		x.all = append(x.all, m)
		x.start(t, m)
	}
	x.whole(t)
	x.reads(t, before, before, before)
	for _, m := range x.all {
		m.signal(t, syscall.SIGSTOP)
	}
	time.Sleep(time.Second) // the fetch that waits at the broker ends with nothing after 0.4 s
	supply(t, s, after, 2)
	s.Cluster.DeleteRecords(t, s.Name, gone, before+200)
	for _, m := range x.all {
		m.signal(t, syscall.SIGCONT)
	}
	x.reads(t, before+after, 0, before+after)
	model := fmt.Sprint(s.Name, ".", gone)
	streamtest.Await(t, "it has stopped at both", func() bool { return x.count(t, model, board.Stopped) == 2 })
	supply(t, s, 100, 3)
	x.reads(t, before+after+100, 0, before+after+100)

	for _, m := range x.all {
		streamtest.Await(t, m.name+" has told of its stop", func() bool {
			listed := call(t, "", "tasks", "--brokers", strings.Join(n.brokers, ","), "--input", s.Name, "--model-per",
				"partition")
			return listed.code == cli.ExitDone &&
				strings.Contains(listed.stdout, model+" has stopped at "+m.name+": input-gone")
		})
		ready, code := m.page(t, "readyz")
		if code != 503 || !strings.Contains(string(ready), model+": stopped with input-gone") {
			t.Errorf("%s: %d %s", m.name, code, ready)
		}
		if text := m.log.String(); strings.Count(text, "this model has stopped, the others go on") != 1 {
			t.Errorf("%s has not tried once:\n%s", m.name, text)
		}
	}
	for _, m := range x.all {
		m.signal(t, syscall.SIGTERM)
		m.stopped(t, stops.InputGone, "model "+model, "400", "600", "--accept input-gone")
	}
	x.verified(t, cli.ExitDone, 0, 2)
	last := start(t, s, x.all[0].dir, "--model-per", "partition", "--checkpoint-topic", s.Name+".checkpoints",
		"--accept", stops.InputGone, "--until-end")
	last.ended(t)
	if text := last.log.String(); !strings.Contains(text, "model "+model+": ") {
		t.Errorf("%s", text)
	}
	x.verified(t, cli.ExitDone, 0, 2)
	x.verified(t, cli.ExitPartial, gone) // from what was accepted on
}

// reads waits until live models have read so many records, each of its partition; 0: that one need not be live.
func (x *machines) reads(t *testing.T, records ...int64) {
	t.Helper()
	var seen []int64
	for late := streamtest.Timeout(t, 2*time.Minute); ; time.Sleep(50 * time.Millisecond) {
		seen = make([]int64, x.models)
		for _, task := range x.tasks(t) {
			p, err := strconv.Atoi(task.Model[strings.LastIndex(task.Model, ".")+1:])
			if err != nil {
				t.Fatal(err)
			}
			if task.State == board.Live && records[p] > 0 {
				seen[p] = task.Read
			}
		}
		if slices.Equal(seen, records) {
			return
		}
		if late.Err() != nil {
			t.Fatalf("read %d, want %d", seen, records)
		}
	}
}

// count counts the daemons at which a model is in a state.
func (x *machines) count(t *testing.T, model, state string) (n int) {
	t.Helper()
	for _, task := range x.tasks(t) {
		if task.Model == model && task.State == state {
			n++
		}
	}
	return n
}

// verified verifies models with the folder of the first daemon, which ends with an exit code.
func (x *machines) verified(t *testing.T, code int, partitions ...int) {
	t.Helper()
	for _, p := range partitions {
		v, got := verifyJSON(t, "--brokers", strings.Join(x.setup.Cluster.Brokers, ","), "--input", x.setup.Name,
			"--state", x.all[0].dir, "--partition", strconv.Itoa(p))
		if text, _ := json.Marshal(v.Counts); got.code != code || !v.OK || v.Predictions == 0 {
			t.Errorf("partition %d: %d predictions, %s: %s%s", p, v.Predictions, text, got.stdout, got.stderr)
		}
	}
}
