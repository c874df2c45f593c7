package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

// inject lets strace attach to the running daemon and make system calls fail, wait or kill as its inject option says,
// until stop or the daemon's end. The calls that were traced are in the file calls.
func inject(t *testing.T, p *process, options ...string) (stop func(), calls string) {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("needs strace")
	}
	if out, err := exec.Command(strace, "-f", "-e", "trace=fsync", "true").CombinedOutput(); err != nil {
		t.Skipf("strace may not trace here: %s", out)
	}
	calls = filepath.Join(t.TempDir(), "calls")
	tracer := launch(t, append([]string{strace, "-f", "-y", "-o", calls, "-p", fmt.Sprint(p.Process.Pid)},
		options...)...)
	streamtest.Await(t, "strace is attached", func() bool {
		if strings.Contains(tracer.log.String(), "attached") { // the daemon may have been killed since
			return true
		}
		tracer.alive(t)
		return false
	})
	return func() {
		if err := tracer.Process.Signal(syscall.SIGTERM); err == nil { // on which it lets go of the daemon
			<-tracer.done
		}
	}, calls
}

// TestFaultFsyncFails: a checkpoint whose fsync fails is given up and its file never synced again; when fsync works
// again, the next one is whole (row 9).
func TestFaultFsyncFails(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	p := start(t, s, s.Dir)
	supply(t, s, 100, 1)
	p.await(t, "saved", func(s daemonStatus) bool { return s.Checkpoint.Seq == 98 })
	stop, calls := inject(t, p, "-e", "trace=fsync", "-e", "inject=fsync:error=EIO")
	supply(t, s, 100, 2)
	got := p.await(t, "saving failed twice", func(s daemonStatus) bool {
		return s.Checkpoint.Failed >= 2 &&
			s.Read == 200
	})
	if got.Ready || got.Checkpoint.Seq != 98 || !strings.Contains(got.Checkpoint.Error, "input/output error") {
		t.Errorf("%+v", got)
	}
	stop()
	p.await(t, "saved again", func(s daemonStatus) bool {
		return s.Ready && s.Checkpoint.Seq == 196 &&
			s.Checkpoint.Error == ""
	})
	if left := temps(t, s); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	p.exact(t, s)
	log, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	failed := regexp.MustCompile(`fsync\(\d+<([^>]*)>\) = -1 EIO`).FindAllStringSubmatch(string(log), -1)
	if len(failed) < 2 {
		t.Fatalf("%d failed fsyncs:\n%s", len(failed), log)
	}
	for _, f := range failed {
		if again := strings.Count(string(log), "<"+f[1]+">"); again != 1 {
			t.Errorf("%s was synced %d times", f[1], again)
		}
	}
}

// TestFaultFsyncHangs: while an fsync hangs the daemon goes on predicting and learning; /status and /readyz tell how
// long nothing was saved (row 11).
func TestFaultFsyncHangs(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	p := start(t, s, s.Dir)
	supply(t, s, 100, 1)
	p.await(t, "saved", func(s daemonStatus) bool { return s.Checkpoint.Seq == 98 })
	stop, _ := inject(t, p, "-e", "trace=fsync", "-e", "inject=fsync:delay_enter=600000000")
	supply(t, s, 100, 2)
	got := p.await(t, "a checkpoint is overdue", func(s daemonStatus) bool {
		return s.Seq == 196 && strings.Contains(strings.Join(s.Reasons, " "), "checkpoint overdue")
	})
	if got.Checkpoint.Age == nil || *got.Checkpoint.Age < 0.5 || got.Checkpoint.Seq != 98 || got.Ready {
		t.Errorf("%+v", got)
	}
	supply(t, s, 100, 3)
	p.await(t, "it goes on predicting", func(s daemonStatus) bool { return s.Seq == 294 && s.Checkpoint.Seq == 98 })
	stop()
	p.await(t, "saved again", func(s daemonStatus) bool { return s.Checkpoint.Seq == 294 && s.Ready })
	p.exact(t, s)
}

// supplyUntilDone goes on with a few records at a time until the process has ended, or for about a minute.
func supplyUntilDone(t *testing.T, s *streamtest.Setup, p *process, seed uint64) {
	t.Helper()
	for i := range uint64(100) {
		select {
		case <-p.done:
			return
		case <-time.After(500 * time.Millisecond):
			supply(t, s, 30, seed+i)
		}
	}
}

// TestFaultKilledWhileSaving: SIGKILL at each system call of a save: before the temp file is made, in the midst of a
// write, before the file's fsync, before the rename, before the folder's fsync, before the removal of old files (row
// 4).
func TestFaultKilledWhileSaving(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	folder := filepath.Join(s.Dir, s.Name)
	builds := 0
	for i, at := range [][]string{
		{"-e", "trace=openat", "-e", "inject=openat:signal=KILL"},
		{"-e", "trace=write", "-e", "inject=write:signal=KILL:when=4"},
		{"-e", "trace=fsync", "-e", "inject=fsync:signal=KILL"},
		{"-e", "trace=renameat", "-e", "inject=renameat:signal=KILL"},
		{"-P", folder, "-e", "trace=fsync", "-e", "inject=fsync:signal=KILL"},
		{"-e", "trace=unlinkat", "-e", "inject=unlinkat:signal=KILL"},
	} {
		p := start(t, s, s.Dir, "--checkpoint-every", "10")
		p.await(t, "it is live", func(s daemonStatus) bool { return s.State == board.Live })
		_, calls := inject(t, p, at...)
		supply(t, s, 150, uint64(i))
		supplyUntilDone(t, s, p, uint64(100*i+100)) // several saves, until an old file is not needed
		if code := p.exit(t, time.Minute); code != -1 {
			t.Fatalf("%s: exit %d:\n%s", at, code, p.tail())
		}
		seq, files := newestSeq(t, s)
		paths, err := (&checkpoint.Store{Dir: folder}).Files()
		if err != nil {
			t.Fatal(err)
		}
		f, err := checkpoint.Open(nil, paths[0])
		if err != nil {
			t.Fatal(err)
		}
		builds += len(f.BuildsOn)
		log, _ := os.ReadFile(calls)
		t.Logf("%s: newest checkpoint %d of %d, building on %d, temp files %v; %s", at[len(at)-1], seq, files,
			len(f.BuildsOn), temps(t, s), lastCall(log))
	}
	if builds == 0 {
		t.Error("no checkpoint built on another")
	}
	start(t, s, s.Dir, "--until-end").ended(t)
	if left := temps(t, s); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	exact(t, s, s.Dir)
}

// lastCall is the last system call that was traced.
func lastCall(log []byte) (call string) {
	for line := range strings.Lines(string(log)) {
		if strings.Contains(line, "(") {
			call = strings.TrimSpace(line)
		}
	}
	return call[:min(len(call), 150)]
}
