package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/audit"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/inspection"
	"rosenblatt/cmd/internal/proxytest"
	"rosenblatt/stream/model"
)

// retained is a checkpoint of a model, from which an audit can begin.
type retained struct {
	path   string
	state  string // the folder that it is in
	header model.Header
	seq    int64 // up to which the predictions before it are audited
}

// auditor audits models while they run, a piece at a time, since retention removes what is behind.
type auditor struct {
	*machines
	admin  *kadm.Client
	dir    string
	r      *rand.Rand
	from   []retained
	took   int
	moved  int
	exits  map[int]int
	totals []audit.Report
}

// newest is the newest checkpoint of a model in the topic, copied.
func (a *auditor) newest(t *testing.T, p int) (c retained) {
	t.Helper()
	file, _, err := inspection.OpenTopic(t.Context(), &inspection.Topic{Name: a.setup.Name + ".checkpoints",
		Partition: int32(p), Log: a.client.Task(int32(p)).Journal().Checkpoints()}, a.setup.Output(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file.Header, &c.header); err != nil {
		t.Fatal(err)
	}
	c.state = filepath.Join(a.dir, strconv.Itoa(a.took))
	c.path = filepath.Join(c.state, fmt.Sprint(a.setup.Name, ".", p), fmt.Sprint("checkpoint-", c.header.Seq))
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Export(checkpoint.OS{}, c.path); err != nil {
		t.Fatal(err)
	}
	return c
}

// audit audits each model from where its last audit began with a checkpoint on, and then, every other time, removes
// what the checkpoint does not need from which the next audit begins.
func (a *auditor) audit(t *testing.T) {
	t.Helper()
	a.took++
	for p := range a.models {
		next, was := a.newest(t, p), a.from[p]
		args := []string{"--brokers", strings.Join(a.setup.Cluster.Brokers, ","), "--input", a.setup.Name,
			"--state", next.state, "--partition", strconv.Itoa(p)}
		if was.path != "" {
			args = append(args, "--from-checkpoint", was.path)
		}
		v, got := verifyJSON(t, args...)
		a.exits[got.code]++
		want := cli.ExitDone
		if was.header.Seq > 0 {
			want = cli.ExitPartial
		}
		if got.code != want || !v.OK || v.After != was.header.Seq || v.After > was.seq || v.Seq < next.header.Seq {
			t.Fatalf("audit %d of partition %d, from seq %d on, %d to %d were audited before, the next begins at %d: "+
				"exit %d: %s%s", a.took, p, v.After, 1, was.seq, next.header.Seq, got.code, got.stdout, got.stderr)
		}
		next.seq = v.Seq
		a.from[p], a.totals[p] = next, v
	}
	if a.r.IntN(2) == 0 {
		a.retain(t)
	}
}

// eventsWait is how long events are kept which a checkpoint has passed: they may wait for labels, and an audit that
// begins with that checkpoint reads them again.
const eventsWait = 90 * time.Second

// retain moves the starts of all logs up to what the checkpoints need.
func (a *auditor) retain(t *testing.T) {
	t.Helper()
	s := a.setup
	waiting, err := a.admin.ListOffsetsAfterMilli(t.Context(), time.Now().Add(-eventsWait).UnixMilli(), s.Name)
	if err != nil {
		t.Fatal(err)
	}
	to := kadm.Offsets{}
	for p := range a.from {
		h := &a.from[p].header
		first, _ := waiting.Lookup(s.Name, int32(p))
		to.AddOffset(s.Name, int32(p), min(h.Positions[p], max(0, first.Offset)), -1)
		to.AddOffset(s.Name+".labels", int32(p), h.LabelPositions[p], -1)
		for topic, ends := range map[string][]int64{s.Output(): h.Ends.Output, s.DeadLetters(): h.Ends.DeadLetters,
			s.Name + ".outcomes": h.Ends.Outcomes} {
			to.AddOffset(topic, int32(p), ends[p], -1)
		}
	}
	res, err := a.admin.DeleteRecords(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	res.Each(func(r kadm.DeleteRecordsResponse) {
		if r.Err == nil {
			a.moved++
		} else {
			t.Logf("delete records of %s/%d: %v", r.Topic, r.Partition, r.Err) // retention was faster
		}
	})
}

// TestFaultMembersWithLabelsOverThreeNodes: the faults of TestFaultMembersOverThreeNodes, with labels that come later,
// transactions, tombstones, and a retention of a minute (of events, half a minute more); members have --settled-ids of
// their own. Every record is handled once, verify covers every seq, and no event waits for its prediction for longer
// than the session timeout and a second. It runs where its length is given.
func TestFaultMembersWithLabelsOverThreeNodes(t *testing.T) {
	if os.Getenv(envMembers) == "" {
		t.Skip("lasts as long as " + envMembers + " says, as 10m")
	}
	const partitions = 4
	n := threeNodes(t)
	lasts, seed := membersOptions(t)
	s := n.setup(t, partitions)
	for _, topic := range []string{s.Name + ".labels", s.Name + ".outcomes"} {
		s.Cluster.Topic(t, topic, partitions)
	}
	x := &machines{setup: s, r: rand.New(rand.NewPCG(seed, 23)), models: partitions}
	settled := []string{"20", "1000", "1000", "3000"}
	for i := range 4 {
		m := &machine{name: fmt.Sprint("m", i), dir: t.TempDir(), link: proxytest.Start(t, n.brokers...)}
		m.flags = []string{"--labels", s.Name + ".labels", "--label-slack", "4s", "--label-wait", "12s",
			"--tombstones", "skip", "--settled-ids", settled[i]}
		x.all = append(x.all, m)
	}
	s.Kafka.Labels, s.Kafka.Outcomes, s.State = s.Name+".labels", s.Name+".outcomes", s.Name+".checkpoints"
	x.client = s.Client(t)
	for _, m := range x.all {
		x.start(t, m)
	}
	x.whole(t)
	for _, topic := range []string{s.Name, s.Kafka.Labels, s.Kafka.Outcomes, s.Output(), s.DeadLetters()} {
		s.Cluster.SetConfig(t, topic, "segment.ms", "5000")
		s.Cluster.SetConfig(t, topic, "retention.ms", "60000")
	}
	s.Cluster.SetConfig(t, s.Name, "retention.ms", fmt.Sprint(eventsWait.Milliseconds()))
	published := readAnswers(t, s, partitions)
	l, end := startLoad(t, s, partitions, seed)
	a := &auditor{machines: x, admin: n.admin(t), dir: t.TempDir(), r: rand.New(rand.NewPCG(seed, 24)),
		from: make([]retained, partitions), exits: map[int]int{}, totals: make([]audit.Report, partitions)}
	for began := time.Now(); time.Since(began) < lasts; {
		x.fault(t)
		a.audit(t)
		if _, wrong := published.missing(l); len(wrong) > 0 {
			t.Fatalf("%d wrong, the first: %s; %v", len(wrong), wrong[0], x.faults[max(0, len(x.faults)-5):])
		}
	}
	end()
	published.settled(t, l, a.audit)
	for _, m := range x.all {
		m.signal(t, syscall.SIGTERM)
	}
	for _, m := range x.all {
		if code := m.exit(t, sessionTimeout+20*time.Second); code != 0 {
			t.Errorf("%s ended with %d:\n%s", m.name, code, m.tail())
		}
	}
	a.audit(t)
	for p, v := range a.totals {
		t.Logf("partition %d, the last audit: seq %d to %d, %d pending, not audited by it %v, labels %+v", p, v.After+1,
			v.Seq, v.Pending, v.NotAudited, *v.Labels)
		if v.Pending > 0 || v.Labels.Pending > 0 {
			t.Errorf("partition %d: pending: %+v %+v", p, *v.Result, *v.Labels)
		}
	}
	x.waits(l, published)
	x.tell(t, l.still)
	t.Logf("seed %d: %d faults in %v; %d audits of each model, exits %v; %d log starts moved", seed, len(x.faults)-1,
		lasts, a.took, a.exits, a.moved)
}
