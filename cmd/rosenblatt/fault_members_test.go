package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/proxytest"
	"rosenblatt/stream/board"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// How long TestFaultMembersOverThreeNodes lasts, as 10m, and its seed; without them half a minute, and 1. A run that is
// given its length is alone on the machine.
const (
	envMembers     = "ROSENBLATT_TEST_MEMBERS"
	envMembersSeed = "ROSENBLATT_TEST_MEMBERS_SEED"
)

// machine is a daemon with a link of its own to the brokers.
type machine struct {
	*process
	name, dir string
	flags     []string
	link      *proxytest.Proxy
	logs      []*printed // of all its processes
}

// machines are daemons that share a model for each partition, and what was done to them.
type machines struct {
	setup  *streamtest.Setup
	client *kafka.Client
	r      *rand.Rand
	all    []*machine
	models int
	faults []*memberFault
}

func (x *machines) start(t *testing.T, m *machine) {
	flags := append([]string{"--standby", "--instance", m.name, "--session-timeout", sessionTimeout.String(),
		"--checkpoint-topic", x.setup.Name + ".checkpoints", "--model-per", "partition", "--create-topics",
		"--checkpoint-interval", "1s", "--log-format", "json"}, m.flags...)
	m.process = start(t, through(x.setup, m.link.Brokers()...), m.dir, flags...)
	m.logs = append(m.logs, m.log)
}

// taskStatus is that of a task among several.
type taskStatus struct {
	Model string
	daemonStatus
}

// tasks are those of all daemons.
func (x *machines) tasks(t *testing.T) (all []taskStatus) {
	t.Helper()
	for _, m := range x.all {
		var s struct{ Tasks []taskStatus }
		body, _ := m.page(t, "status")
		if err := json.Unmarshal(body, &s); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		all = append(all, s.Tasks...)
	}
	return all
}

// whole waits until each model is live on one daemon, and followed by another one that is ready to take over, and all
// are in the group: one that has heard nothing for long stays away until it is dropped.
func (x *machines) whole(t *testing.T) {
	t.Helper()
	var seen map[string]int
	for late := streamtest.Timeout(t, 2*time.Minute); ; time.Sleep(50 * time.Millisecond) {
		seen = map[string]int{}
		for _, task := range x.tasks(t) {
			if task.Ready && (task.State == board.Live || task.State == board.Following) {
				seen[task.State+" "+task.Model]++
			}
		}
		good := len(seen) == 2*x.models
		for _, n := range seen {
			good = good && n == 1
		}
		if good && x.stable(t) {
			return
		}
		if late.Err() != nil {
			t.Fatalf("not each model is live and followed once, or not every daemon is in the group: %v; %v", seen,
				x.faults[max(0, len(x.faults)-3):])
		}
	}
}

// stable reports whether all daemons are members of the group, and it does not rebalance.
func (x *machines) stable(t *testing.T) bool {
	t.Helper()
	g, err := x.client.DescribeGroup(t.Context(), "rosenblatt-"+x.setup.Name+".tasks")
	if err != nil {
		t.Fatal(err)
	}
	return g.State == "Stable" && len(g.Members) == len(x.all)
}

// while lasts from half a session timeout to two and a half.
func (x *machines) while() {
	time.Sleep(sessionTimeout/2 + time.Duration(x.r.Int64N(int64(2*sessionTimeout))))
}

// cut lets no response pass for a while, no request, or neither.
func (x *machines) cut(m *machine, kind string) {
	lost := map[bool]string{false: "mute", true: "deaf"}
	m.link.Set(func(message *proxytest.Message) proxytest.Verdict {
		if kind == "cut" || kind == lost[message.Response] {
			return proxytest.Swallow
		}
		return proxytest.Pass
	})
	x.while()
	m.link.Set(nil)
}

// again starts a daemon that has ended, every other time without its folder.
func (x *machines) again(t *testing.T, m *machine) {
	if x.r.IntN(2) == 0 {
		m.dir = t.TempDir()
	}
	x.start(t, m)
}

// fault does something to one of them, and waits until that is over.
func (x *machines) fault(t *testing.T) {
	t.Helper()
	kinds := []string{"kill", "suspend", "deaf", "mute", "cut", "stop"}
	m, f := x.all[x.r.IntN(len(x.all))], &memberFault{kind: kinds[x.r.IntN(len(kinds))], began: time.Now()}
	f.name = m.name
	switch f.kind {
	case "kill":
		m.signal(t, syscall.SIGKILL)
		m.exit(t, time.Minute)
		x.while()
		x.again(t, m)
	case "suspend":
		m.signal(t, syscall.SIGSTOP)
		x.while()
		m.signal(t, syscall.SIGCONT)
	case "deaf", "mute", "cut":
		x.cut(m, f.kind)
	case "stop":
		m.signal(t, syscall.SIGTERM)
		if code := m.exit(t, sessionTimeout+20*time.Second); code != 0 {
			t.Fatalf("%s ended with %d:\n%s", m.name, code, m.tail())
		}
		x.again(t, m)
	}
	f.end = time.Now()
	x.faults = append(x.faults, f)
	x.whole(t)
}

// verify verifies each model, with the parameters of a daemon that has a checkpoint of it.
func (x *machines) verify(t *testing.T, each int) {
	t.Helper()
	for p := range x.models {
		i := slices.IndexFunc(x.all, func(m *machine) bool {
			found, _ := filepath.Glob(filepath.Join(m.dir, fmt.Sprint(x.setup.Name, ".", p), "checkpoint-*"))
			return len(found) > 0
		})
		v, got := verifyJSON(t, "--brokers", strings.Join(x.setup.Cluster.Brokers, ","), "--input", x.setup.Name,
			"--state", x.all[i].dir, "--partition", strconv.Itoa(p))
		if got.code != cli.ExitDone || !v.OK || v.Predictions != int64(each) {
			t.Errorf("partition %d: %d predictions of %d: %s%s", p, v.Predictions, each, got.stdout, got.stderr)
		}
	}
}

// membersOptions are the length and the seed of a run.
func membersOptions(t *testing.T) (lasts time.Duration, seed uint64) {
	t.Helper()
	lasts, err := time.ParseDuration(cmp.Or(os.Getenv(envMembers), "30s"))
	if err != nil {
		t.Fatalf("%s: %v", envMembers, err)
	}
	seed, err = strconv.ParseUint(cmp.Or(os.Getenv(envMembersSeed), "1"), 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", envMembersSeed, err)
	}
	return lasts, seed
}

// TestFaultMembersOverThreeNodes: of four daemons, one after the other is killed, suspended, cut off from the brokers
// in one direction or the other, or stopped, at random, and comes back, with or without its folder. Each event is
// predicted once, and no model is without a daemon for longer than the session timeout and a second; beside other
// tests, three.
func TestFaultMembersOverThreeNodes(t *testing.T) {
	const partitions = 4
	n := threeNodes(t)
	lasts, seed := membersOptions(t)
	x := &machines{setup: n.setup(t, partitions), r: rand.New(rand.NewPCG(seed, 22)), models: partitions}
	x.client = x.setup.Client(t)
	for i := range 4 {
		m := &machine{name: fmt.Sprint("m", i), dir: t.TempDir(), link: proxytest.Start(t, n.brokers...)}
		x.all = append(x.all, m)
		x.start(t, m)
	}
	x.whole(t)
	stop := feed(t, x.setup, partitions)
	defer stop()
	for began := time.Now(); time.Since(began) < lasts; {
		x.fault(t)
	}
	each := stop() / partitions
	streamtest.Await(t, "all are predicted", func() bool {
		seq := int64(0)
		for _, task := range x.tasks(t) {
			if task.State == board.Live {
				seq += task.Seq
			}
		}
		return seq == int64(each*partitions)
	})
	for _, m := range x.all {
		m.signal(t, syscall.SIGTERM)
	}
	for _, m := range x.all {
		if code := m.exit(t, sessionTimeout+20*time.Second); code != 0 {
			t.Errorf("%s ended with %d:\n%s", m.name, code, m.tail())
		}
	}
	x.verify(t, each)
	x.gaps(t)
	x.tell(t, longestGap(t, x.setup, topics.Input, time.Time{}))
	t.Logf("seed %d: %d faults in %v, %d events a model", seed, len(x.faults)-1, lasts, each)
}
