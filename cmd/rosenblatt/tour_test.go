package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// tourist follows the documents in a folder of its own.
type tourist struct {
	brokers, http    string
	dir              string
	root             string // of the repository
	daemon, producer *process
	running          string           // the daemon's command line
	done             map[string]int   // commands by kind
	seqs             map[string]int64 // the last ones seen, by model
}

// TestDocumentedCommands runs the commands of all documents, as they are written but for the addresses.
func TestDocumentedCommands(t *testing.T) {
	t.Parallel()
	wholeProgram(t)
	path, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, path := range documents(t) {
		lines = append(lines, commandLines(t, path)...)
	}
	programs := fenced.FindAllStringSubmatch(guide(t), -1)
	w := &tourist{brokers: broker(t), http: freePort(t), dir: t.TempDir(), done: map[string]int{},
		seqs: map[string]int64{}}
	if w.root, err = filepath.Abs(top); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, filepath.Join(w.dir, "rosenblatt")); err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		w.follow(t, strings.NewReplacer("127.0.0.1:29092", w.brokers, "127.0.0.1:8080", w.http, "127.0.0.1:8081",
			w.http).Replace(line))
	}
	streamtest.Await(t, "the broken events are rejected", func() bool {
		rejected := w.status(t).Rejected
		return rejected["bad-label"] == 1 && rejected["syntax"] == 1
	})
	w.python(t, programs)
	w.interrupt(t, w.producer)
	w.interrupt(t, w.daemon)
	if log := w.daemon.log.String(); !strings.Contains(log, `"message":"took over"`) {
		t.Errorf("the log of the last start does not say that it took over:\n%s", log)
	}
	for _, kind := range []string{"run", "produce", "check", "inspect", "replay", "train", "verify", "curl", "kill"} {
		if w.done[kind] == 0 {
			t.Errorf("the documents have no command of %s", kind)
		}
	}
	w.shell(t, "./rosenblatt verify --brokers "+w.brokers+" --input events")
}

// there is a line for a shell that runs it in the folder, whose daemons listen at the address.
func (w *tourist) there(line string) string {
	return fmt.Sprintf("cd '%s' && export ROSENBLATT_HTTP=%s && %s", w.dir, w.http, line)
}

// python runs those of a page's blocks that are Python, where there is Python.
func (w *tourist) python(t *testing.T, blocks [][]string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Log("Python is not installed: its examples were not run")
		return
	}
	for _, block := range blocks {
		if block[1] != "python" {
			continue
		}
		if strings.Contains(block[2], "sklearn") && exec.Command(python, "-c", "import sklearn").Run() != nil {
			t.Log("scikit-learn is not installed: its example was not run")
			continue
		}
		code := strings.ReplaceAll(block[2], "127.0.0.1:8080", w.http)
		cmd := exec.Command(python, "-c", code)
		cmd.Dir = w.dir
		if out, err := cmd.CombinedOutput(); err != nil || len(out) == 0 {
			t.Errorf("%v: %s\n%s", err, out, code)
		}
	}
}

// interrupt is Ctrl-C.
func (w *tourist) interrupt(t *testing.T, p *process) {
	t.Helper()
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := p.exit(t, 20*time.Second); code != cli.ExitDone {
		t.Errorf("exit %d:\n%s", code, p.tail())
	}
}

// freePort finds an address below the ports that Linux gives to outgoing connections and to listeners of other tests.
func freePort(t *testing.T) string {
	t.Helper()
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(10_000))
		if l, err := net.Listen("tcp", address); err == nil {
			_ = l.Close()
			return address
		}
	}
	t.Fatal("no free port from 10000 to 20000")
	return ""
}

// follow runs one line. What goes on for ever runs in a terminal of its own.
func (w *tourist) follow(t *testing.T, line string) {
	t.Helper()
	before := w.seq(t)
	w.seqs[inputOf(w.running)] = before
	switch words := strings.Fields(line); {
	case strings.HasPrefix(line, "go build"): // it is built
	case strings.HasPrefix(line, "go run"), strings.Contains(line, "go test"):
		w.packages(t, words)
	case strings.Contains(line, ".ci/"):
		w.script(t, line)
	case strings.Contains(line, "example.org"): // nobody is there
		if _, err := newProgram(nil, io.Discard, io.Discard).Parse(&commandLine{}, words[1:]); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	case strings.HasPrefix(line, "kill"):
		w.done["kill"]++
		// Its own daemon only: others may run on this machine.
		found := regexp.MustCompile(`pgrep -f '([^']*)'`).FindStringSubmatch(line)
		if found == nil || !regexp.MustCompile(found[1]).MatchString(w.running) {
			t.Fatalf("%s: does not find %q", line, w.running)
		}
		for _, other := range []string{"/opt/" + w.running, "./rosenblatt run --brokers 127.0.0.1:1 --input events",
			strings.Replace(w.running, "events", "events2", 1)} {
			if regexp.MustCompile(found[1]).MatchString(other) {
				t.Errorf("%s: kills somebody else's %q, too", line, other)
			}
		}
		w.shell(t, strings.Replace(line, "$("+found[0]+")", fmt.Sprint(w.daemon.Process.Pid), 1))
		if code := w.daemon.exit(t, 10*time.Second); code != -1 {
			t.Fatalf("exit %d, want that it was killed", code)
		}
	case strings.Contains(line, "./rosenblatt run") && !strings.Contains(line, "--dry-run") &&
		!strings.Contains(line, "--until-end"):
		if w.daemon != nil && w.done["run"] > w.done["kill"] {
			w.interrupt(t, w.daemon)
		}
		w.done["run"]++
		w.running = line
		w.daemon = launch(t, "bash", "-c", w.there("exec env "+line))
		streamtest.Await(t, "the daemon is ready and at the end", func() bool {
			w.daemon.alive(t)
			s := w.status(t)
			return s.State == "live" && s.Seq >= max(20_000, w.seqs[inputOf(line)]) && s.Checkpoint.Seq > 0
		})
	case strings.Contains(line, "--rate") && !strings.Contains(line, "--count"):
		w.done["produce"]++
		if w.producer != nil {
			w.interrupt(t, w.producer)
		}
		w.producer = launch(t, "bash", "-c", w.there("exec "+line))
		streamtest.Await(t, "events are coming", func() bool {
			w.producer.alive(t)
			if strings.Contains(line, "--create-topic") { // its daemon is started next
				_, topic, _ := strings.Cut(line, "--topic ")
				return exists(t, w.brokers, strings.Fields(topic)[0])
			}
			return w.status(t).Seq > before+100
		})
	case strings.HasPrefix(words[0], "kafka-acls"): // the broker has no authorizer
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
		if out := w.shell(t, line); kind != "check" && !strings.Contains(line, " >") && strings.TrimSpace(out) == "" {
			t.Errorf("%s: says nothing", line)
		}
	}
}

// read returns the files of a folder whose names match, one after the other.
func (w *tourist) read(t *testing.T, folder, pattern string) (text string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(w.root, folder, pattern))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text += page(t, strings.TrimPrefix(name, w.root+"/"))
	}
	return text
}

// packages looks up what a go command names: packages, tests and benchmarks. To run them is another test's business.
func (w *tourist) packages(t *testing.T, words []string) {
	t.Helper()
	list := []string{"list"}
	const mutate = "./stream/streamtest/mutate"
	if i := slices.Index(words, mutate); i > 0 {
		table := w.read(t, mutate, "table*.go")
		for _, name := range words[i+1:] {
			if !strings.Contains(table, `{"`+name+`",`) {
				t.Errorf("no mutation %s", name)
			}
		}
	}
	for _, word := range words {
		if strings.HasPrefix(word, "./") {
			list = append(list, word)
		}
	}
	if i := slices.Index(words, "-bench"); i > 0 {
		list = append([]string{"test", "-list", strings.Trim(words[i+1], "'")}, list[1:]...)
	}
	cmd := exec.Command("go", list...)
	cmd.Dir = w.root
	if out, err := cmd.CombinedOutput(); err != nil || len(list) < 2 || list[0] == "test" &&
		!strings.Contains(string(out), "Benchmark") {
		t.Errorf("%q: %v\n%s", words, err, out)
	}
}

// script finds a script of the repository and the steps that it runs.
func (w *tourist) script(t *testing.T, line string) {
	t.Helper()
	m := regexp.MustCompile(`^(?:CI_STEPS="([^"]*)" )?(\S+)(?: -\w)*$`).FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("%s: not understood", line)
	}
	script, err := os.ReadFile(filepath.Join(w.root, m[2]))
	info, _ := os.Stat(filepath.Join(w.root, m[2]))
	if err != nil || info.Mode()&0o100 == 0 {
		t.Fatalf("%s: %v, or it is no program", line, err)
	}
	for _, step := range strings.Fields(m[1]) {
		if !strings.Contains(string(script), "\nstep_"+step+"()") {
			t.Errorf("%s: no step %s", line, step)
		}
	}
}

// inputOf returns the input of a run, which names its model.
func inputOf(run string) string {
	_, after, _ := strings.Cut(run, "--input ")
	model, _, _ := strings.Cut(after, " ")
	return model
}

func (w *tourist) shell(t *testing.T, line string) string {
	t.Helper()
	out, err := exec.Command("bash", "-c", w.there(line)).CombinedOutput()
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
