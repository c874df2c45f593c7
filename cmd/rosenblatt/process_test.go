package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rosenblatt/stream/streamtest"
)

var buildOnce = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "rosenblatt-test")
	if err != nil {
		return "", err
	}
	started.Lock()
	started.folders = append(started.folders, dir)
	started.Unlock()
	path := filepath.Join(dir, "rosenblatt")
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

// wholeProgram skips a test of the real program where time is short: the race detector does not look into another
// process.
func wholeProgram(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the real program: not with -short")
	}
}

// process is the real program under test.
type process struct {
	*exec.Cmd
	log  *printed
	done chan struct{} // closed when it has ended
}

// printed is what a program has printed, to be read while it runs.
type printed struct {
	mu   sync.Mutex
	text []byte
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text = append(p.text, b...)
	return len(b), nil
}

func (p *printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.text)
}

// start runs the program on the setup's topics, its folder and the cluster.
func start(t *testing.T, s *streamtest.Setup, dir string, extra ...string) *process {
	t.Helper()
	path, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{path, "run", "--brokers", strings.Join(s.Cluster.Brokers, ","), "--input", s.Name,
		"--state", dir, "--bits", "12",
		"--http", "127.0.0.1:0", "--checkpoint-interval", "50ms"}, extra...)
	return launch(t, args...)
}

// launch runs a program, which ends with the test. If that fails, it shows what the program has printed last.
func launch(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(args[0], args[1:]...), log: new(printed), done: make(chan struct{})}
	p.Stdout, p.Stderr = p.log, p.log
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _ = p.Wait(); close(p.done) }()
	t.Cleanup(func() {
		if text := p.tail(); t.Failed() {
			t.Logf("%s %s printed:\n%s", filepath.Base(args[0]), args[1], text)
		}
	})
	return p
}

// exit waits for the end and returns the exit code, -1 when it was killed.
func (p *process) exit(t *testing.T, within time.Duration) int {
	t.Helper()
	select {
	case <-p.done:
	case <-streamtest.Timeout(t, within).Done():
		t.Fatalf("still running after %s:\n%s", within, p.tail())
	}
	return p.ProcessState.ExitCode()
}

// tail is the end of what an ended process has printed.
func (p *process) tail() string {
	_ = p.Process.Kill()
	<-p.done
	text := p.log.String()
	return text[max(0, len(text)-3000):]
}
