package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"
	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/stream"
)

// cluster starts a broker in this process, with a topic of events at times 1000, 2000 ... ms, one in each.
func cluster(t *testing.T, events int) []string {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "events"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	w := &kafkago.Writer{Addr: kafkago.TCP(c.ListenAddrs()...), Topic: "events", BatchTimeout: time.Millisecond}
	defer func() { _ = w.Close() }() // every write was waited for
	var all []kafkago.Message
	for i := range events {
		value := fmt.Appendf(nil, `{"id":"e%d","label":%d,"x":%d}`, i, i%2, 2*(i%2)-1)
		all = append(all, kafkago.Message{Value: value, Time: time.UnixMilli(1000 * int64(i+1))})
	}
	if len(all) > 0 {
		if err := w.WriteMessages(t.Context(), all...); err != nil {
			t.Fatal(err)
		}
	}
	return c.ListenAddrs()
}

// onCluster are settings for a run to the end.
func onCluster(t *testing.T, brokers []string) Settings {
	s := Defaults()
	s.Brokers, s.Input, s.State, s.CreateTopics, s.UntilEnd, s.HTTP = brokers, "events", t.TempDir(), true, true, "off"
	return s
}

func run(t *testing.T, s Settings) *Daemon {
	t.Helper()
	d, err := New(s, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	if err := d.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestRunUntilEnd(t *testing.T) {
	t.Parallel()
	s := onCluster(t, cluster(t, 100))
	if got := run(t, s).Status(); got.Seq != 100 || got.Score.Examples != 100 || got.Epoch != 1 {
		t.Errorf("seq %d, %d examples, epoch %d", got.Seq, got.Score.Examples, got.Epoch)
	}
	if got := run(t, s).Status(); got.Seq != 100 || got.Epoch != 2 {
		t.Errorf("again: seq %d, epoch %d", got.Seq, got.Epoch)
	}
}

func TestStart(t *testing.T) {
	t.Parallel()
	brokers := cluster(t, 10)
	for start, want := range map[string]int64{"earliest": 10, "latest": 0, "4000": 7, "1970-01-01T00:00:09Z": 2,
		"99000": 0} {
		s := onCluster(t, brokers)
		s.Start, s.Model = start, "from-"+strings.NewReplacer(":", "").Replace(start)
		s.Output = s.Model + ".out"
		if got := run(t, s).Status().Seq; got != want {
			t.Errorf("--start %s: %d answered, want %d", start, got, want)
		}
	}
}

func TestProgressHook(t *testing.T) {
	t.Parallel()
	d, err := New(onCluster(t, cluster(t, 9)), zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	var rows []int64
	d.Progress = func(s *stream.Status) { rows = append(rows, s.Seq) }
	if err := d.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(rows) != "[1 2 4 8]" {
		t.Errorf("rows at %v", rows)
	}
}

// TestServesAndStops watches a daemon over HTTP until it has caught up, and then stops it.
func TestServesAndStops(t *testing.T) {
	t.Parallel()
	s := onCluster(t, cluster(t, 50))
	s.UntilEnd, s.HTTP = false, "127.0.0.1:0"
	d, err := New(s, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	addr, err := d.Listen()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 60*time.Second)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	for seq := int64(0); seq < 50; {
		seq = statusOf(t, ctx, addr)
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if _, err := http.Get("http://" + addr.String() + "/status"); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("after the end: %v", err)
	}
}

func statusOf(t *testing.T, ctx context.Context, addr net.Addr) int64 {
	t.Helper()
	if ctx.Err() != nil {
		t.Fatal("not caught up in time")
	}
	res, err := http.Get("http://" + addr.String() + "/status")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	var status struct{ Seq int64 }
	if err := json.NewDecoder(res.Body).Decode(&status); err != nil {
		t.Fatal(err)
	}
	return status.Seq
}

func TestPortTaken(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }() // the test is over
	s := minimal()
	s.HTTP, s.State = taken.Addr().String(), t.TempDir()
	d, err := New(s, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	err = d.Run(t.Context())
	if !errors.Is(err, syscall.EADDRINUSE) || !strings.Contains(err.Error(), "--http") {
		t.Errorf("%v", err)
	}
	s.AnyPort = true
	if d, err = New(s, zerolog.Nop()); err != nil {
		t.Fatal(err)
	}
	addr, err := d.Listen()
	if err != nil || addr.String() == taken.Addr().String() {
		t.Errorf("any port: %v, %v", addr, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := d.Run(ended); err == nil { // it closes the port
		t.Error("a run that was over before it began reached no broker and returned nil")
	}
}

// TestEndsTogether: when the task fails, nothing is left running.
func TestEndsTogether(t *testing.T) {
	t.Parallel()
	s := onCluster(t, cluster(t, 1))
	s.Input, s.HTTP = "no-such-topic", "127.0.0.1:0"
	d, err := New(s, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	addr, err := d.Listen()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no-such-topic") {
		t.Errorf("%v", err)
	}
	if c, err := net.Dial("tcp", addr.String()); err == nil {
		_ = c.Close()
		t.Error("the web server still listens")
	}
}

// TestWarnsOfPasswordsInTheClear also shows that the log never holds the password.
func TestWarnsOfPasswordsInTheClear(t *testing.T) {
	t.Parallel()
	var lines atomic.Int64
	s := minimal()
	s.SASL, s.SASLUser, s.SASLPassword, s.HTTP, s.State = "plain", "me", "geheim", "off", t.TempDir()
	log := zerolog.New(io.Discard).Hook(zerolog.HookFunc(func(_ *zerolog.Event, l zerolog.Level, msg string) {
		if l == zerolog.WarnLevel && strings.Contains(msg, "in the clear") {
			lines.Add(1)
		}
	}))
	d, err := New(s, log)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.Run(ctx); err == nil || strings.Contains(err.Error(), "geheim") || lines.Load() != 1 {
		t.Errorf("%v, %d warnings", err, lines.Load())
	}
}
