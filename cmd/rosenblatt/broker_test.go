package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rosenblatt/cmd/internal/generate"
	"rosenblatt/stream/streamtest"
)

// ownKafka starts a real broker for one test, by the project's own script; up starts it again after down.
func ownKafka(t *testing.T) (up func() string, down func(...string)) {
	t.Helper()
	if !streamtest.Real() {
		t.Skip("starts a real Kafka of its own: set " + streamtest.EnvBrokers)
	}
	dir := t.TempDir()
	ci := filepath.Join("..", "..", ".ci")
	up = func() string {
		c := exec.Command(filepath.Join(ci, "kafka-up"), "-d", dir, "-p", "0")
		c.Stderr = os.Stderr
		out, err := c.Output()
		if err != nil {
			t.Fatalf("kafka-up: %v", err)
		}
		return strings.TrimSpace(string(out))
	}
	down = func(flags ...string) {
		if out, err := exec.Command(filepath.Join(ci, "kafka-down"),
			append([]string{"-d", dir}, flags...)...).CombinedOutput(); err != nil {
			t.Errorf("kafka-down: %v: %s", err, out)
		}
	}
	t.Cleanup(func() { down("-k") })
	return up, down
}

// TestBrokerKilledAndRestarted: kill -9 of the only broker while the daemon writes; it resumes by itself, exactly (row
// 17). Then the broker dies for good and SIGTERM ends the daemon: exit 1 within 15 seconds, nothing half written (row
// 16).
func TestBrokerKilledAndRestarted(t *testing.T) {
	up, down := ownKafka(t)
	t.Setenv(streamtest.EnvBrokers, up())
	s := streamtest.New(t, streamtest.Start(t), 2)
	g := generate.New(6)
	produce := func(n int) {
		for p := range 2 {
			var events []string
			for range n {
				events = append(events, string(g.AppendJSON(nil)))
			}
			s.Cluster.Produce(t, s.Name, p, events...)
		}
	}
	produce(20000)
	c := s.Client(t)
	p := start(t, s, s.Dir, "--chunk-records", "16")
	streamtest.Await(t, "some predictions", func() bool { return predicted(t, c) >= 2000 })
	down("-k")
	up()
	streamtest.Await(t, "all predictions", func() bool { return predicted(t, c) >= 40000 })
	s.Audit(t)
	s.Cluster = streamtest.Start(t) // its own connections died with the broker
	p.suspendAtWork(t, s, 40000, func() int64 { produce(20000); return 40000 })
	down("-k")
	p.signal(t, syscall.SIGTERM)
	p.signal(t, syscall.SIGCONT)
	if code := p.exit(t, 15*time.Second); code != 1 {
		t.Errorf("exit %d without a broker, want 1:\n%s", code, p.tail())
	}
	up()
	if code := start(t, s, s.Dir, "--until-end").exit(t, time.Minute); code != 0 {
		t.Fatalf("the run after it ended with %d", code)
	}
	s.Audit(t)
}
