package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// tmpfs mounts a small file system in memory; the test is skipped where that is not permitted.
func tmpfs(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("needs the right to mount a tmpfs: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// TestFaultDiskFull: no room for a checkpoint: predicting goes on, /status and /readyz say why nothing is saved,
// nothing is left behind, and when there is room again all is saved (row 10).
func TestFaultDiskFull(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	s.Dir = tmpfs(t, "2m")
	p := start(t, s, s.Dir)
	supply(t, s, 200, 1)
	p.await(t, "it is saved", func(s daemonStatus) bool { return s.Seq == 196 && s.Checkpoint.Seq == s.Seq })
	ballast := filepath.Join(s.Dir, "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil { // to the last page
		_, err = f.Write(make([]byte, 4096))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	_ = f.Close()
	supply(t, s, 200, 2)
	got := p.await(t, "a checkpoint fails", func(s daemonStatus) bool {
		return s.Seq == 392 &&
			s.Checkpoint.Failed >= 2
	})
	if got.Ready || got.Checkpoint.Seq != 196 || !strings.Contains(got.Checkpoint.Error, "no space left") {
		t.Errorf("%+v", got)
	}
	if body, code := p.page(t, "readyz"); code != 503 || !strings.Contains(string(body), "no space left") {
		t.Errorf("%d %s", code, body)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	got = p.await(t, "it is saved again", func(s daemonStatus) bool { return s.Checkpoint.Seq == 392 && s.Ready })
	if left := temps(t, s); len(left) > 0 || got.Checkpoint.Error != "" {
		t.Errorf("left behind: %v, error %q", left, got.Checkpoint.Error)
	}
	streamtest.Await(t, "the log says that saving works again",
		func() bool { // it comes by a pipe, maybe after the status
			p.alive(t)
			return strings.Contains(p.log.String(), "checkpoints are saved again")
		})
	p.exact(t, s)
}

// TestFaultFolderReadOnly: a state folder that cannot be written stops the start, before anything is predicted (row
// 12).
func TestFaultFolderReadOnly(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	supply(t, s, 100, 1)
	dir := tmpfs(t, "2m")
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	start(t, s, dir).stopped(t, stops.StateUnreadable, "read-only file system", dir)
	if got := predicted(t, s.Client(t)); got != 0 {
		t.Errorf("%d offsets in the output", got)
	}
}

// TestFaultSecondProcess: a second process on the same folder ends at once and disturbs nobody (row 13).
func TestFaultSecondProcess(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	p := start(t, s, s.Dir)
	supply(t, s, 100, 1)
	p.caughtUp(t, 100)
	start(t, s, s.Dir).stopped(t, "", "another process")
	supply(t, s, 100, 2)
	p.caughtUp(t, 200)
	if epoch := p.status(t).Epoch; epoch != 1 {
		t.Errorf("epoch %d", epoch)
	}
	p.exact(t, s)
}

// TestFaultDescriptors: no file descriptor is left, because somebody opens connections to the web server and keeps
// them. Predictions go on, checkpoints fail; when the connections go, all is saved. With next to none at all the start
// fails (row 49).
func TestFaultDescriptors(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	path, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	limited := func(files int) *process {
		return launch(t, "sh", "-c", fmt.Sprintf(`ulimit -n %d; exec "$@"`, files), "sh", path, "run", "--brokers",
			strings.Join(s.Cluster.Brokers, ","),
			"--input", s.Name, "--state", s.Dir, "--bits", "12", "--http", "127.0.0.1:0", "--checkpoint-interval",
			"50ms")
	}
	limited(8).stoppedWith(t, cli.ExitFailed, stops.StateUnreadable, "too many open files")
	p := limited(40)
	supply(t, s, 200, 1)
	p.caughtUp(t, 200)
	at := listens.FindStringSubmatch(p.log.String())[1]
	var held []net.Conn
	for range 60 { // more than there are: the rest waits to be accepted
		c, err := net.Dial("tcp", strings.Trim(strings.TrimPrefix(at, "http:"), "/"))
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, c)
	}
	streamtest.Await(t, "every descriptor is taken", func() bool {
		p.alive(t)
		open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.Process.Pid))
		return err == nil && len(open) >= 40
	})
	supply(t, s, 200, 2)
	streamtest.Await(t, "it goes on predicting", func() bool { p.alive(t); return predicted(t, s.Client(t)) >= 392 })
	streamtest.Await(t, "a checkpoint fails", func() bool {
		p.alive(t)
		return strings.Contains(p.log.String(), "too many open files") &&
			strings.Contains(p.log.String(), "checkpoint failed")
	})
	for _, c := range held {
		_ = c.Close()
	}
	p.await(t, "it is saved again", func(got daemonStatus) bool {
		return got.Seq == 392 && got.Checkpoint.Seq == 392 &&
			got.Ready
	})
	p.exact(t, s)
}

// TestFaultOutOfMemory: the address space ends where it is when /predict asks for a copy of the model, and the Go
// runtime ends the program on the spot, as the kernel would; the next start has it all (row 48).
func TestFaultOutOfMemory(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	prlimit, err := exec.LookPath("prlimit")
	if err != nil {
		t.Skip("needs prlimit")
	}
	s := n.setup(t, 1)
	s.Config.ModelConfig.Learner.Bits, s.Config.ModelConfig.Decode.Bits = 21, 21
	supply(t, s, 4000, 1)
	p := start(t, s, s.Dir, "--bits", "21", "--chunk-records", "16")
	streamtest.Await(t, "some predictions", func() bool { p.alive(t); return predicted(t, s.Client(t)) > 300 })
	if out, err := exec.Command(prlimit, "--pid", fmt.Sprint(p.Process.Pid),
		"--as=50000000").CombinedOutput(); err != nil {
		t.Skipf("needs the right to limit a process: %s", out)
	}
	at := listens.FindStringSubmatch(p.log.String())[1]
	if res, err := http.Post(at+"predict", "application/json", strings.NewReader(`{"features":{"f0":1}}`)); err == nil {
		_ = res.Body.Close()
	}
	// Which allocation fails is not known: one of the heap, of a stack, or of a thread.
	code, log := p.exit(t, time.Minute), p.log.String()
	if code != 2 || !strings.Contains(log, "fatal error: ") && !strings.Contains(log, "pthread_create failed") {
		t.Fatalf("exit %d:\n%s", code, p.tail())
	}
	start(t, s, s.Dir, "--bits", "21", "--until-end").ended(t)
	exact(t, s, s.Dir)
}
