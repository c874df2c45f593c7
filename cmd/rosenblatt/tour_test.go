package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"rosenblatt/stream/streamtest"
)

const tourHeading = "## Five minutes on your own topic\n"

// tourLines are the commands of the README's tour, in order.
func tourLines(t *testing.T) (all []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, tour, found := strings.Cut(string(text), tourHeading)
	if !found {
		t.Fatalf("README.md has no %q", tourHeading)
	}
	tour, _, _ = strings.Cut(tour, "\n## ")
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(tour, -1) {
		all = append(all, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	return all
}

// tourist follows the tour in a folder of its own.
type tourist struct {
	brokers, http    string
	daemon, producer *process
	running          string         // the daemon's command line
	done             map[string]int // commands by kind
}

// TestReadmeTour runs the README's tour, every command as it stands there, but for the addresses.
func TestReadmeTour(t *testing.T) {
	wholeProgram(t)
	path, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	lines := tourLines(t)
	w := &tourist{brokers: broker(t), http: freePort(t), done: map[string]int{}}
	t.Chdir(t.TempDir())
	if err := os.Symlink(path, "rosenblatt"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ROSENBLATT_HTTP", w.http)
	for _, line := range lines {
		w.follow(t, strings.NewReplacer("127.0.0.1:29092", w.brokers, "127.0.0.1:8080", w.http).Replace(line))
	}
	streamtest.Await(t, "the broken events are rejected", func() bool {
		rejected := w.status(t).Rejected
		return rejected["bad-label"] == 1 && rejected["syntax"] == 1
	})
	for _, p := range []*process{w.producer, w.daemon} { // Ctrl-C
		if err := p.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if code := p.exit(t, 20*time.Second); code != exitDone {
			t.Errorf("exit %d:\n%s", code, p.tail())
		}
	}
	if log := w.daemon.log.String(); !strings.Contains(log, `"message":"took over"`) {
		t.Errorf("the log of the second start does not say that it took over:\n%s", log)
	}
	for kind, want := range map[string]int{"run": 2, "produce": 3, "check": 1, "inspect": 1, "curl": 2, "kill": 1} {
		if w.done[kind] != want {
			t.Errorf("the tour has %d commands of %s, this test knows %d", w.done[kind], kind, want)
		}
	}
	t.Setenv("ROSENBLATT_HTTP", "")
	call(t, "", "verify", "--brokers", w.brokers, "--input", "events").want(t, exitDone, "", "")
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// follow runs one line. What goes on for ever runs in a terminal of its own.
func (w *tourist) follow(t *testing.T, line string) {
	t.Helper()
	before := w.seq(t)
	switch words := strings.Fields(line); {
	case strings.HasPrefix(line, "go build"), strings.HasPrefix(line, ".ci/"): // the program and a broker are there
	case strings.HasPrefix(line, "./rosenblatt run"):
		w.done["run"]++
		w.running = line
		w.daemon = launch(t, "bash", "-c", "exec "+line)
		streamtest.Await(t, "the daemon is ready and at the end", func() bool {
			w.daemon.alive(t)
			s := w.status(t)
			return s.State == "live" && s.Seq >= max(20_000, before) && s.Checkpoint.Seq > 0
		})
	case strings.Contains(line, "--rate"):
		w.done["produce"]++
		w.producer = launch(t, "bash", "-c", "exec "+line)
		streamtest.Await(t, "events are coming", func() bool { return w.status(t).Seq > before+100 })
	case strings.HasPrefix(line, "kill"):
		w.done["kill"]++
		// Its own daemon only: others may run on this machine.
		found := regexp.MustCompile(`pgrep -f '([^']*)'`).FindStringSubmatch(line)
		if found == nil || !regexp.MustCompile(found[1]).MatchString(w.running) {
			t.Fatalf("%s: does not find %q", line, w.running)
		}
		for _, other := range []string{"/opt/" + w.running, "./rosenblatt run --brokers 127.0.0.1:1 --input events", strings.Replace(w.running, "events", "events2", 1)} {
			if regexp.MustCompile(found[1]).MatchString(other) {
				t.Errorf("%s: kills somebody else's %q, too", line, other)
			}
		}
		w.shell(t, strings.Replace(line, "$("+found[0]+")", fmt.Sprint(w.daemon.Process.Pid), 1))
		if code := w.daemon.exit(t, 10*time.Second); code != -1 {
			t.Fatalf("exit %d, want that it was killed", code)
		}
	case strings.HasPrefix(words[0], "kafka-"):
		if _, err := exec.LookPath(words[0]); err == nil {
			w.shell(t, line)
		}
	default:
		kind := words[0]
		if _, after, found := strings.Cut(line, "./rosenblatt "); found {
			kind, _, _ = strings.Cut(after, " ")
		}
		w.done[kind]++
		if out := w.shell(t, line); kind != "check" && strings.TrimSpace(out) == "" {
			t.Errorf("%s: says nothing", line)
		}
	}
}

func (w *tourist) shell(t *testing.T, line string) string {
	t.Helper()
	out, err := exec.Command("bash", "-c", line).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

// tourStatus is a part of /status.
type tourStatus struct {
	State      string
	Seq        int64
	Rejected   map[string]int64
	Checkpoint struct{ Seq int64 }
}

func (w *tourist) status(t *testing.T) (s tourStatus) {
	t.Helper()
	res, err := http.Get("http://" + w.http + "/status")
	if err != nil {
		return s // it does not listen yet
	}
	defer func() { _ = res.Body.Close() }() // it is only read
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return s
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func (w *tourist) seq(t *testing.T) int64 { t.Helper(); return w.status(t).Seq }
