package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// disks are file systems of nodes in files. What they have not written back to those is lost with the power.
type disks struct{ dir, images string }

// newDisks makes a file system for each of three nodes, in the folder that the nodes will have.
func newDisks(t *testing.T) *disks {
	t.Helper()
	faults(t)
	if os.Getuid() != 0 {
		t.Skip("mounts file systems: needs root")
	}
	d := &disks{}
	for _, dir := range []*string{&d.dir, &d.images} {
		var err error
		if *dir, err = os.MkdirTemp("", "rosenblatt-power"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(*dir) })
	}
	for node := 1; node <= 3; node++ {
		must(t, "truncate", "-s", "400M", d.image(node))
		if out, err := exec.Command("mkfs.ext4", "-q", "-F", d.image(node)).CombinedOutput(); err != nil {
			t.Skipf("needs mkfs.ext4: %v: %s", err, out)
		}
		if err := os.Mkdir(d.at(node), 0o700); err != nil {
			t.Fatal(err)
		}
		if out, err := d.mount(node); err != nil {
			t.Skipf("needs loop devices: %v: %s", err, out)
		}
		t.Cleanup(func() { _ = exec.Command("umount", d.at(node)).Run() })
	}
	return d
}

func must(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v: %s", name, args, err, out)
	}
}

func (d *disks) at(node int) string    { return filepath.Join(d.dir, fmt.Sprint(node)) }
func (d *disks) image(node int) string { return filepath.Join(d.images, fmt.Sprint(node)) }

// mount mounts a node's file system, which writes its journal every ten minutes.
func (d *disks) mount(node int) ([]byte, error) {
	return exec.Command("mount", "-o", "loop,commit=600", d.image(node), d.at(node)).CombinedOutput()
}

// lose puts a copy of what a node's file system has written into its place. The node must be down.
func (d *disks) lose(t *testing.T, node int) {
	t.Helper()
	kept := d.image(node) + ".kept"
	must(t, "cp", "--sparse=always", d.image(node), kept)
	must(t, "umount", d.at(node))
	must(t, "mv", kept, d.image(node))
	if out, err := d.mount(node); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestFaultPowerLossOverThreeNodes: all brokers lose their power at once, and with it what they have acknowledged since
// they wrote it to their disks. A daemon that is live stops by name, and so does a start. One that accepts what was
// lost in each topic goes on.
func TestFaultPowerLossOverThreeNodes(t *testing.T) {
	d := newDisks(t)
	t.Cleanup(func() { _ = kafkaDown(d.dir, "-k") })
	brokers, err := kafkaUp(d.dir, "-n", "3", "-p", "0", "broker.session.timeout.ms=5000",
		"broker.heartbeat.interval.ms=500")
	if err != nil {
		t.Fatal(err)
	}
	n := &nodes{d.dir, brokers}
	s := n.setup(t, 1)
	n.whole(t, s.Name, s.Output(), s.DeadLetters())
	p := start(t, s, s.Dir)
	supply(t, s, 200, 1)
	p.caughtUp(t, 200)
	streamtest.Await(t, "all is acknowledged", func() bool {
		b := bounds(t, s)
		return b.Output.Partitions[0].End+b.DeadLetters.Partitions[0].End == 200+2 // markers
	})
	for node := 1; node <= 3; node++ {
		must(t, "sync", "-f", d.at(node))
	}
	supply(t, s, 200, 2)
	p.caughtUp(t, 400)
	p.await(t, "a checkpoint", func(s daemonStatus) bool { return s.Checkpoint.Seq == s.Seq })
	before := bounds(t, s)
	for node := 1; node <= 3; node++ {
		n.kill(t, node)
	}
	for node := 1; node <= 3; node++ {
		d.lose(t, node)
	}
	n.up(t)
	n.whole(t, s.Name, s.Output())
	after := bounds(t, s)
	for _, topic := range []topics.Topic{topics.Input, topics.Output} {
		was, is := before.Of(topic).Partitions[0].End, after.Of(topic).Partitions[0].End
		if is < 150 || is > 300 || was < 350 {
			t.Fatalf("%v ended at %d, and at %d now", topic, was, is)
		}
	}
	p.stopped(t, stops.BeyondEnd)
	start(t, s, s.Dir).stopped(t, stops.BeyondEnd, "--accept beyond-end")
	accepted := stops.BeyondEnd
	for _, next := range []string{stops.JournalGone, stops.DeadLettersGone} {
		start(t, s, s.Dir, "--accept", accepted).stopped(t, next, "--accept "+next)
		accepted += "," + next
	}
	p = start(t, s, s.Dir, "--accept", accepted)
	supply(t, s, 100, 3)
	p.await(t, "it is live and through", func(s daemonStatus) bool { return s.State == board.Live && s.Lag == 0 })
	p.term(t)
}

// flip changes one bit of a topic's log under its broker, in the value of the last record that holds a text.
func (n *nodes) flip(t *testing.T, topic, text string) {
	t.Helper()
	path := filepath.Join(n.dir, "1", "logs", topic+"-0", fmt.Sprintf("%020d.log", 0))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.LastIndex(string(data), text)
	if at < 0 {
		t.Fatalf("%s has no %s", path, text)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte{data[at] ^ 1}, int64(at)); err != nil {
		t.Fatal(err)
	}
}

// TestFaultSegmentBit: one bit of a log is another one on a broker's disk: of what a live daemon reads next, of what a
// start reads, and of the journal behind a checkpoint. Each is the stop bad-batch; what is damaged in the input is
// passed over by the --skip that it names.
func TestFaultSegmentBit(t *testing.T) {
	faults(t)
	n, err := newNodes("-n", "1")
	if err != nil {
		t.Fatal(err)
	}
	s := n.setup(t, 1)
	p := start(t, s, s.Dir)
	supply(t, s, 100, 1)
	p.caughtUp(t, 100)
	p.signal(t, syscall.SIGSTOP)
	s.Cluster.Produce(t, s.Name, 0, `{"id":"damaged","label":1,"features":{"x":1}}`)
	supply(t, s, 50, 2)
	n.flip(t, s.Name, "damaged")
	p.signal(t, syscall.SIGCONT)
	p.stopped(t, stops.BadBatch, "--skip 0:100-100")
	start(t, s, s.Dir).stopped(t, stops.BadBatch, "--skip 0:100-100")
	old := filepath.Join(t.TempDir(), "state")
	if err := os.CopyFS(old, os.DirFS(s.Dir)); err != nil {
		t.Fatal(err)
	}
	p = start(t, s, s.Dir, "--skip", "0:100-100")
	p.await(t, "it is live and through", func(s daemonStatus) bool { return s.State == board.Live && s.Lag == 0 })
	p.term(t)
	call(t, "", "verify", "--brokers", strings.Join(s.Cluster.Brokers, ","), "--input", s.Name, "--state", s.Dir,
		"--bits", "12").want(t, cli.ExitDone, "verified: ", "")
	n.flip(t, s.Output(), `"seq":`)
	start(t, s, old, "--skip", "0:100-100").stopped(t, stops.BadBatch, s.Output())
}
