package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/rs/zerolog"

	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

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
			t.Errorf("--start %s: %d predictions, want %d", start, got, want)
		}
	}
}

func TestProgressHook(t *testing.T) {
	t.Parallel()
	d := newDaemon(t, onCluster(t, cluster(t, 9)))
	var rows []int64
	d.Progress = func(s *board.Status) { rows = append(rows, s.Seq) }
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
	_, url, stop, _ := serve(t, onCluster(t, cluster(t, 50)))
	streamtest.Await(t, "50 predictions", func() bool { return strings.Contains(get(t, url+"/status"), `"seq":50,`) })
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := http.Get(url + "/status"); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("after the end: %v", err)
	}
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
	err = newDaemon(t, s).Run(t.Context())
	if !errors.Is(err, syscall.EADDRINUSE) || !strings.Contains(err.Error(), "--http") {
		t.Errorf("%v", err)
	}
	s.AnyPort = true
	d := newDaemon(t, s)
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
	s.Input = "no-such-topic"
	d, url := listening(t, s)
	if err := d.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no-such-topic") {
		t.Errorf("%v", err)
	}
	if _, err := http.Get(url); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("the web server still listens: %v", err)
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
