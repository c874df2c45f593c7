package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/streamtest"
)

// screen is what was printed; tests read it while it grows.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// running is a demo that runs in the test's process.
type running struct {
	out, logs screen
	daemon    *daemon.Daemon
	stop      context.CancelFunc
	ended     chan struct{}
	err       error
}

// start starts a demo and returns when its daemon is about to run, or when it has ended.
func start(t *testing.T, o Options, events int64) *running {
	t.Helper()
	if o.HTTP == "" {
		o.HTTP = "127.0.0.1:0"
	}
	ctx, stop := context.WithTimeout(context.Background(), 90*time.Second)
	r := &running{stop: stop, ended: make(chan struct{})}
	ready := make(chan struct{})
	d := &demo{Options: o, events: events, out: &r.out, logs: &r.logs,
		started: func(w *daemon.Daemon) { r.daemon = w; close(ready) }}
	go func() {
		defer close(r.ended)
		r.err = d.run(ctx)
	}()
	t.Cleanup(func() { stop(); <-r.ended })
	select {
	case <-ready:
	case <-r.ended:
	}
	return r
}

// whole runs a demo to its end, which must be a good one, and returns what it printed.
func whole(t *testing.T, o Options, events int64) string {
	t.Helper()
	r := start(t, o, events)
	<-r.ended
	if r.err != nil || r.logs.String() != "" {
		t.Fatalf("error %v, logs %q; printed:\n%s", r.err, r.logs.String(), r.out.String())
	}
	return r.out.String()
}

// prediction is what the tests compare.
type prediction struct {
	ID     string
	Label  *int
	Offset int64
	Seq    int64
}

// predictionsIn reads all predictions out of a state folder that no demo is running on.
func predictionsIn(t *testing.T, state, topic string) (all []prediction) {
	t.Helper()
	for _, v := range valuesIn(t, state, topic+".predictions") {
		var a prediction
		if err := json.Unmarshal(v, &a); err != nil {
			t.Fatalf("prediction %s: %v", v, err)
		}
		all = append(all, a)
	}
	return all
}

func valuesIn(t *testing.T, state, topic string) (all [][]byte) {
	t.Helper()
	b, err := openBroker((&home{path: state}).broker())
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	transport := &kafka.Transport{}
	defer transport.CloseIdleConnections()
	client := &kafka.Client{Addr: kafka.TCP(b.ListenAddrs()...), Transport: transport, Timeout: 10 * time.Second}
	for at, end := b.PartitionInfo(topic, 0).LogStartOffset, b.end(topic); at < end; {
		res, err := client.Fetch(context.Background(),
			&kafka.FetchRequest{Topic: topic, Offset: at, MinBytes: 1, MaxBytes: 8 << 20, MaxWait: time.Second})
		if err != nil || res.Error != nil {
			t.Fatal(err, res)
		}
		before := at
		for {
			r, err := res.Records.ReadRecord()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			v, err := kafka.ReadAll(r.Value)
			if err != nil {
				t.Fatal(err)
			}
			if r.Offset >= at {
				all, at = append(all, v), r.Offset+1
			}
		}
		if at == before {
			at++ // a marker: kafka-go hides it
		}
	}
	return all
}

// rowsOf finds the table's rows: their fields without the percent signs.
func rowsOf(printed string) (rows [][]string) {
	_, printed, _ = strings.Cut(printed, heads+"\n")
	table, _, _ := strings.Cut(printed, "\n\n")
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "  rejected") {
			rows = append(rows, strings.Fields(strings.ReplaceAll(line, " %", "")))
		}
	}
	return rows
}

func await(t *testing.T, what string, cond func() bool) {
	t.Helper()
	streamtest.Await(t, what, cond)
}
