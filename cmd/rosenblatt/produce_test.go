package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/cmd/internal/daemon"
)

func TestProduceFile(t *testing.T) {
	k := broker(t, kfake.SeedTopics(1, "events"))
	to := []string{"produce", "--brokers", k, "--topic", "events"}
	lines := "{\"x\":1}\n{\"x\":2}\n\nbroken\n"
	call(t, "", append(to, write(t, "e.jsonl", lines), "--repeat", "2")...).want(t, exitDone, "6 events in events", "")
	call(t, lines, append(to, "-", "--format", "json", "--count", "2")...).want(t, exitDone, "2 events in events", "")
	call(t, "", append(to, write(t, "e.csv", "label,x\n1,2\n0,3\n"))...).want(t, exitDone, "2 events in events", "")
	call(t, "", append(to, write(t, "empty.jsonl", ""), "--repeat", "0")...).want(t, exitDone, "0 events in events", "")
	got := strings.Join(values(t, k, "events", 0, 10), " ")
	if want := `{"x":1} {"x":2} broken {"x":1} {"x":2} broken {"x":1} {"x":2} 1,2 0,3`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if n := length(t, k, "events", 0); n != 10 {
		t.Errorf("%d events, want 10", n)
	}
}

func TestProduceOverPartitions(t *testing.T) {
	k := broker(t)
	call(t, "", "produce", "--brokers", k, "--topic", "events", "--generate", "hyperplane", "--count", "3000", "--create-topic", "--partitions", "3").
		want(t, exitDone, "3000 events in events", "")
	for p := range 3 {
		if n := length(t, k, "events", p); n != 1000 {
			t.Errorf("partition %d has %d of 3000 events", p, n)
		}
	}
}

func TestProduceRefuses(t *testing.T) {
	k := broker(t)
	to := []string{"produce", "--brokers", k, "--topic", "events"}
	call(t, "", append(to, "--generate", "hyperplane")...).want(t, exitFailed, "", "topic events does not exist: create it, or say --create-topic")
	for want, args := range map[string][]string{
		"want one of them":                  {"e.jsonl", "--generate", "hyperplane"},
		`generate: "sphere"`:                {"--generate", "sphere"},
		"rate: -1: want 0 or more":          {"e.jsonl", "--rate=-1"},
		"can be read only once":             {"-", "--format", "json", "--repeat", "2"},
		"partitions: 0":                     {"e.jsonl", "--partitions", "0"},
		"what is generated is json":         {"--generate", "hyperplane", "--format", "csv"},
		"count: -5":                         {"e.jsonl", "--count=-5"},
		"repeat: -5: want 0 or more":        {"e.jsonl", "--repeat=-5"},
		"3 settings are wrong:\n  generate": {"--generate", "a", "--rate=-1", "--partitions", "0"},
	} {
		call(t, "", append(to, args...)...).want(t, exitUsage, "", want)
	}
	call(t, "", append(to, "no-such.jsonl")...).want(t, exitFailed, "", "no-such.jsonl")
	call(t, "", "produce", "--brokers", "127.0.0.1:1", "--topic", "events", "--generate", "hyperplane").want(t, exitFailed, "", "connection refused")
}

// TestInterruptedProduceCountsExactly: what was counted is what stands in the topic, also when the interrupt comes while a
// batch is under way.
func TestInterruptedProduceCountsExactly(t *testing.T) {
	clearEnvironment(t)
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(2, "events"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var batches atomic.Int64
	cluster.ControlKey(int16(kmsg.Produce), func(kmsg.Request) (kmsg.Response, error, bool) {
		cluster.KeepControl()
		if batches.Add(1) == 5 {
			interrupt()
		}
		return nil, nil, false
	})
	k := cluster.ListenAddrs()[0]
	c := &produceCommand{Connection: daemon.Connection{Brokers: []string{k}}, Topic: "events", Generate: "hyperplane"}
	f, err := c.open(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := newSender(c, daemon.Security{})
	defer s.close()
	if err := s.send(ctx, f, func(int64, bool) {}); err != nil {
		t.Fatal(err)
	}
	if n := length(t, k, "events", 0) + length(t, k, "events", 1); n != s.sent || n == 0 {
		t.Errorf("%d events in the topic, %d counted", n, s.sent)
	}
}

// TestSignalEndsProduce: what passes a signal on sends it twice; both count as one, and the count is told.
func TestSignalEndsProduce(t *testing.T) {
	k := broker(t, kfake.SeedTopics(1, "events"))
	path, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p := exec.Command(path, "produce", "--brokers", k, "--topic", "events", "--generate", "hyperplane")
	p.Stdout = &out
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	values(t, k, "events", 0, 1000) // it is at work
	for range 2 {
		if err := p.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%d events in events", length(t, k, "events", 0)); !strings.Contains(out.String(), want) {
		t.Errorf("%q, want %s", out.String(), want)
	}
}

// TestSlowInputIsSentAtOnce: a value that was read does not wait for the next one.
func TestSlowInputIsSentAtOnce(t *testing.T) {
	k := broker(t, kfake.SeedTopics(1, "events"))
	c := &produceCommand{Connection: daemon.Connection{Brokers: []string{k}}, Topic: "events", File: "-", Format: "json", Repeat: 1}
	from, to := io.Pipe()
	f, err := c.open(from)
	if err != nil {
		t.Fatal(err)
	}
	s := newSender(c, daemon.Security{})
	defer s.close()
	var sent atomic.Int64
	arrived, done := make(chan struct{}, 10), make(chan error, 1)
	go func() {
		done <- s.send(t.Context(), f, func(n int64, done bool) {
			if !done {
				sent.Store(n)
				arrived <- struct{}{}
			}
		})
	}()
	for i := range int64(3) {
		if _, err := io.WriteString(to, "{\"x\":1}\n"); err != nil {
			t.Fatal(err)
		}
		<-arrived // before the next one is written
		if sent.Load() != i+1 {
			t.Errorf("%d sent after %d were written", sent.Load(), i+1)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestPacer(t *testing.T) {
	at := func(rate, gone float64, since time.Duration) *pacer {
		return &pacer{rate: rate, gone: gone, began: time.Now().Add(-since)}
	}
	if n, ok := at(0, 0, 0).wait(t.Context()); n != maxBatch || !ok {
		t.Errorf("as fast as it goes: %d", n)
	}
	if n, _ := (&pacer{rate: 0.001}).wait(t.Context()); n != 1 {
		t.Errorf("the first one: %d at once", n)
	}
	if n, _ := at(10, 0, 2*time.Second).wait(t.Context()); n != 21 {
		t.Errorf("after two seconds at 10 a second: %d are due, want 21", n)
	}
	if n, _ := at(10, 15, 2*time.Second).wait(t.Context()); n != 6 {
		t.Errorf("of these 15 gone: %d are due, want 6", n)
	}
	if n, _ := at(10, 0, time.Hour).wait(t.Context()); n != 1 {
		t.Errorf("an hour behind: a burst of %d", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := at(0.001, 1, 0).wait(ctx); ok {
		t.Error("it waits beyond the end")
	}
	began := time.Now()
	if n, _ := at(50, 1, 0).wait(t.Context()); n != 1 || time.Since(began) < 19*time.Millisecond {
		t.Errorf("%d due after %v, want 1 after 20ms", n, time.Since(began))
	}
}
