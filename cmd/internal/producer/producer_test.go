package producer

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/generate"
	"rosenblatt/stream/kafka"
)

// sending opens what a command sends, and the way to its topic.
func sending(t *testing.T, c *Settings, stdin io.Reader) (*feed, *sender) {
	t.Helper()
	f, err := c.open(stdin)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.close)
	s, err := c.connect(t.Context(), kafka.ClusterOptions{Brokers: c.Brokers, ClientID: c.ClientID}, c.Topic, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.to.Close)
	return f, s
}

// TestInterruptedProduceCountsExactly: the count equals what the topic holds, also when the interrupt comes while a
// batch is in flight.
func TestInterruptedProduceCountsExactly(t *testing.T) {
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
	c := &Settings{Connection: daemon.Connection{Brokers: []string{k}}, Topic: "events", Generate: "hyperplane"}
	f, s := sending(t, c, nil)
	if err := s.send(ctx, f, s.write, func(*sender) {}); err != nil {
		t.Fatal(err)
	}
	n := cluster.PartitionInfo("events", 0).HighWatermark + cluster.PartitionInfo("events", 1).HighWatermark
	if n != s.sent || n == 0 {
		t.Errorf("%d events in the topic, %d counted", n, s.sent)
	}
}

// TestSlowInputIsSentAtOnce: a value that was read does not wait for the next one.
func TestSlowInputIsSentAtOnce(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "events"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	c := &Settings{Connection: daemon.Connection{Brokers: cluster.ListenAddrs()}, Topic: "events", File: "-",
		Format: "json", Repeat: 1}
	from, to := io.Pipe()
	f, s := sending(t, c, from)
	var sent atomic.Int64
	arrived, done := make(chan struct{}, 10), make(chan error, 1)
	go func() {
		done <- s.send(t.Context(), f, s.write, func(s *sender) {
			sent.Store(s.sent)
			arrived <- struct{}{}
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

// TestPackedFileHasProgress: the progress of a packed file, in its own bytes, grows in each round and ends at its size.
func TestPackedFileHasProgress(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	s := generate.New(1)
	const lines, rounds = 20_000, 3
	for range lines {
		if _, err := z.Write(append(s.AppendJSON(nil), '\n')); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	size := int64(packed.Len())
	path := filepath.Join(t.TempDir(), "e.jsonl.gz")
	if err := os.WriteFile(path, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := (&Settings{File: path, Repeat: rounds}).open(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	if total, _ := f.total(); total != rounds*size {
		t.Fatalf("%d bytes in all, want %d", total, rounds*size)
	}
	events, ended := f.events(t.Context())
	var before, n int64
	for e := range events {
		done := float64(n) / lines * float64(size)
		end := float64(e.end)
		if e.end < before || e.end > rounds*size || end < done-float64(size)/20 || end > done+float64(size)/3 {
			t.Fatalf("event %d: at %d after %d, of %d bytes a round", n, e.end, before, size)
		}
		before, n = e.end, n+1
	}
	if err := ended(); err != nil || n != rounds*lines {
		t.Errorf("%d events, %v", n, err)
	}
}

// TestProduceProgress: bytes of a file, events of a count, or just how many.
func TestProduceProgress(t *testing.T) {
	by := &sender{sent: 100, done: 150}
	for _, c := range []struct {
		feed    feed
		max     int64
		percent float64
	}{{feed{size: 300, repeat: 2}, 600, 0.25}, {feed{size: 300, limit: 400}, 400, 0.25}, {feed{size: 300}, -1, 0}} {
		var out bytes.Buffer
		show, options := progressOf(&c.feed)
		show.bar = cli.DrawnBar(&out, "sending", options...)
		show.moved(by)
		got := show.bar.State()
		if got.Max != c.max || c.max > 0 && got.CurrentPercent != c.percent || c.max < 0 && got.CurrentBytes != 100 {
			t.Errorf("%+v: %+v", c.feed, got)
		}
		if told := strings.Contains(show.bar.State().Description, "100 so far"); told != (c.max < 0) {
			t.Errorf("%+v: %q", c.feed, show.bar.State().Description)
		}
		show.bar.End()
		if !strings.HasSuffix(out.String(), "\r\x1b[K") {
			t.Errorf("%+v: the line is not left empty: %q", c.feed, out.String())
		}
	}
	newProgress(&bytes.Buffer{}, &feed{}).moved(by) // no terminal: nothing to show
}
