package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"rosenblatt/stream/streamtest"
)

// envKafka names the environment variable with which the tests start real Kafka clusters of their own: they kill,
// starve and reconfigure brokers, which nobody may do to a cluster that was given.
const envKafka = "ROSENBLATT_TEST_KAFKA"

// nodes are the brokers of one cluster that this test program has started, and their folder.
type nodes struct {
	dir     string
	brokers []string // by node, from node 1 on
}

// kafkaUp starts what is down in a folder and returns the bootstrap addresses.
func kafkaUp(dir string, args ...string) ([]string, error) {
	c := exec.Command(filepath.Join("..", "..", ".ci", "kafka-up"), append([]string{"-d", dir}, args...)...)
	var text bytes.Buffer
	c.Stderr = &text
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("kafka-up: %w: %s", err, text.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), ","), nil
}

func kafkaDown(dir string, args ...string) error {
	out, err := exec.Command(filepath.Join("..", "..", ".ci", "kafka-down"),
		append([]string{"-d", dir}, args...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("kafka-down: %w: %s", err, out)
	}
	return nil
}

// newNodes starts a cluster on free ports. Its folder is a short path: it is part of Kafka's properties.
func newNodes(args ...string) (*nodes, error) {
	dir, err := os.MkdirTemp("", "rosenblatt-faults")
	if err != nil {
		return nil, err
	}
	started.Lock()
	started.dirs = append(started.dirs, dir)
	started.Unlock()
	brokers, err := kafkaUp(dir, append([]string{"-p", "0"}, args...)...)
	return &nodes{dir, brokers}, err
}

// started is what has to go when the tests are through.
var started struct {
	sync.Mutex
	dirs    []string // of clusters
	folders []string
}

// TestMain clears what the program would read as settings. In the end it stops the clusters that tests share, and
// removes the folders they share.
func TestMain(m *testing.M) {
	streamtest.RunBeside(4)
	clearSettings()
	code := m.Run()
	for _, dir := range started.dirs {
		if err := kafkaDown(dir, "-k", "-r"); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	for _, dir := range started.folders {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	os.Exit(code)
}

func clearSettings() {
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "ROSENBLATT_") && !strings.HasPrefix(name, "ROSENBLATT_TEST_") &&
			name != "ROSENBLATT_UPDATE_GOLDEN" {
			if err := os.Unsetenv(name); err != nil {
				panic(err)
			}
		}
	}
}

// kill ends one node as a crash would.
func (n *nodes) kill(t *testing.T, node int) {
	t.Helper()
	if err := kafkaDown(n.dir, "-k", "-i", fmt.Sprint(node)); err != nil {
		t.Fatal(err)
	}
}

// up starts the nodes that are down.
func (n *nodes) up(t *testing.T, args ...string) {
	t.Helper()
	if _, err := kafkaUp(n.dir, args...); err != nil {
		t.Fatal(err)
	}
}

// setup makes topics on the cluster.
func (n *nodes) setup(t *testing.T, partitions int) *streamtest.Setup {
	t.Helper()
	return streamtest.New(t, streamtest.Connect(t, n.brokers...), partitions)
}

// faults skips a test where it may not start Kafka.
func faults(t *testing.T) {
	t.Helper()
	wholeProgram(t)
	if os.Getenv(envKafka) == "" {
		t.Skip("starts real Kafka clusters of its own: set " + envKafka + "=1")
	}
}

// oneNode is a broker that all tests share which do not stop it. It cleans logs at once, so that compaction and
// retention can be waited for.
func oneNode(t *testing.T) *nodes {
	t.Helper()
	faults(t)
	n, err := oneNodeOnce()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

var oneNodeOnce = sync.OnceValues(func() (*nodes, error) {
	secrets, err := makeSecrets()
	if err != nil {
		return nil, err
	}
	return newNodes("-s", secrets.dir,
		"log.cleaner.backoff.ms=200", "log.retention.check.interval.ms=500", "log.initial.task.delay.ms=500",
		"log.segment.delete.delay.ms=0",
		"listener.name.sasl_plaintext.scram-sha-512.connections.max.reauth.ms="+
			fmt.Sprint(reauthenticate.Milliseconds()),
		"listener.name.sasl_ssl.scram-sha-512.connections.max.reauth.ms="+fmt.Sprint(reauthenticate.Milliseconds()),
		"listener.name.sasl_plaintext.oauthbearer.connections.max.reauth.ms="+
			fmt.Sprint(reauthenticate.Milliseconds()))
})

// threeNodes is a cluster for tests that kill its nodes, one test at a time; each starts them again.
func threeNodes(t *testing.T) *nodes {
	t.Helper()
	faults(t)
	n, err := threeNodesOnce()
	if err != nil {
		t.Fatal(err)
	}
	n.up(t)
	return n
}

// A broker that is gone is missed after five seconds instead of nine, and retention looks every second.
var threeNodesOnce = sync.OnceValues(func() (*nodes, error) {
	return newNodes("-n", "3", "broker.session.timeout.ms=5000", "broker.heartbeat.interval.ms=500",
		"replica.lag.time.max.ms=5000", "log.retention.check.interval.ms=1000", "log.initial.task.delay.ms=500",
		"log.segment.delete.delay.ms=0")
})
