package checkpoint

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The test binary starts itself as another process with a task and a folder in these variables.
const (
	taskVariable   = "CHECKPOINT_TEST_TASK"
	folderVariable = "CHECKPOINT_TEST_FOLDER"
)

func TestMain(m *testing.M) {
	task, dir := os.Getenv(taskVariable), os.Getenv(folderVariable)
	if task == "" {
		os.Exit(m.Run())
	}
	if err := childTask(task, &Store{Dir: dir}); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// childTask takes the lock and prints so. Then it waits to be killed (hold), or saves consecutive generations (save),
// which build on each other (build).
func childTask(task string, s *Store) error {
	if _, err := s.Lock(); err != nil {
		return err
	}
	fmt.Println("locked")
	if task == "hold" {
		_, err := io.Copy(io.Discard, os.Stdin)
		return err
	}
	f, aside, err := s.Newest()
	if err != nil || len(aside) > 0 {
		return fmt.Errorf("%v, %w", aside, err)
	}
	generation := 0
	x := newTables(killedRows)
	if f != nil {
		generation = int(f.Seq)
		if err := x.load(f); task == "build" && err != nil {
			return err
		}
	}
	for {
		generation++
		if task == "build" {
			x.next()
			_, err = x.save(s, uint64(generation))
		} else {
			_, err = save(s, uint64(generation), generation)
		}
		if err != nil {
			return err
		}
		fmt.Println(generation)
	}
}

// child is another process that uses a folder.
type child struct {
	cmd   *exec.Cmd
	stdin io.Closer // the child ends when it is closed, or this process dies
	lines *bufio.Scanner
}

func startChild(t *testing.T, task, dir string) *child {
	t.Helper()
	c := &child{cmd: exec.Command(os.Args[0])}
	c.cmd.Env = append(os.Environ(), taskVariable+"="+task, folderVariable+"="+dir)
	in, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.stdin, c.lines = in, bufio.NewScanner(out)
	t.Cleanup(func() { c.kill() })
	if !c.lines.Scan() || c.lines.Text() != "locked" {
		t.Fatalf("the other process prints %q, %v", c.lines.Text(), c.lines.Err())
	}
	return c
}

// kill sends SIGKILL, reads the rest of the output and returns its last line. It may be called again.
func (c *child) kill() (last string) {
	_ = c.cmd.Process.Kill() // it may have ended
	for c.lines.Scan() {
		last = c.lines.Text()
	}
	_ = c.cmd.Wait() // the kill is its error
	_ = c.stdin.Close()
	return last
}

func TestLockExcludesOtherProcesses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "model")
	first := startChild(t, "hold", dir)
	s := &Store{Dir: dir}
	if release, err := s.Lock(); release != nil || !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), dir) {
		t.Fatalf("while another process holds the folder: %v", err)
	}
	wantNames(t, s, "lock")
	first.kill()
	release, err := s.Lock()
	if err != nil {
		t.Fatalf("after the other process was killed: %v", err)
	}
	if _, err := (&Store{Dir: dir}).Lock(); !errors.Is(err, ErrLocked) {
		t.Errorf("a second Store of this process: %v", err)
	}
	for range 2 {
		if err := release(); err != nil {
			t.Error(err)
		}
	}
	again, err := s.Lock()
	if err != nil {
		t.Fatal(err)
	}
	if err := again(); err != nil {
		t.Error(err)
	}
	wantNames(t, s, "lock")
}

// killed starts a process that saves, reads so many of its lines, kills it, and returns what it has left. It was the
// last save that it reported, or the next one.
func killed(t *testing.T, task, dir string, lines int) *File {
	t.Helper()
	c := startChild(t, task, dir)
	for range lines {
		c.lines.Scan()
	}
	said, last := c.lines.Text(), 0
	if more := c.kill(); more != "" {
		said = more
	}
	if _, err := fmt.Sscan(said, &last); err != nil {
		t.Fatalf("the other process prints %q", said)
	}
	f, aside, err := (&Store{Dir: dir}).Newest()
	if err != nil || f == nil || len(aside) > 0 {
		t.Fatalf("%v, %v, %v", f, aside, err)
	}
	if seq := int(f.Seq); seq != last && seq != last+1 {
		t.Fatalf("saved %d, found %d", last, seq)
	}
	return f
}

// A process is killed repeatedly while it saves: no save that it reported is lost.
func TestKilledWhileSaving(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "model")
	for round := range 8 {
		f := killed(t, "save", dir, 1+round%3)
		generation, err := generationOf(f)
		if err != nil || generation != int(f.Seq) {
			t.Fatalf("found generation %d at %d, %v", generation, f.Seq, err)
		}
		names, err := OS{}.List(dir)
		if err != nil || len(names) > 5 { // lock, three, and a fourth if the kill came before the pruning
			t.Errorf("the folder holds %v, %v", names, err)
		}
	}
}

const killedRows = 100

// The same with saves that build on each other.
func TestKilledWhileSavesBuildOnEachOther(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "model")
	x, builds := newTables(killedRows), 0
	for round := range 12 {
		f := killed(t, "build", dir, 1+round%5*2)
		for x.generation < int(f.Seq) {
			x.next()
		}
		if err := x.same(f); err != nil {
			t.Fatal(err)
		}
		if builds += len(f.BuildsOn); len(f.BuildsOn) > 0 {
			t.Logf("%d bytes at %d build on %d files", f.Bytes, f.Seq, len(f.BuildsOn))
		}
	}
	if builds == 0 {
		t.Error("no save built on another")
	}
}
