package speed

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// process is a program that runs until it is stopped.
type process struct {
	cmd   *exec.Cmd
	ended chan struct{}
	stop  func() // ends it and waits; may be called again
}

// begin starts a program, which ends with the benchmark at the latest.
func begin(b *testing.B, c *exec.Cmd) *process {
	b.Helper()
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	p := &process{cmd: c, ended: make(chan struct{})}
	go func() {
		_ = c.Wait()
		close(p.ended)
	}()
	p.stop = sync.OnceFunc(func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		<-p.ended
	})
	b.Cleanup(p.stop)
	return p
}

// alive fails the benchmark if the program has ended.
func (p *process) alive(b *testing.B) {
	b.Helper()
	select {
	case <-p.ended:
		b.Fatalf("%s ended by itself: %v", p.cmd.Path, p.cmd.ProcessState)
	default:
	}
}

// peak is the most memory that a running program has had, in MB.
func (p *process) peak(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "\nVmHWM:")
	var kB int
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		b.Fatal(err)
	}
	return float64(kB) / 1024
}

// spent is the processor time that a running program has had.
func (p *process) spent(b *testing.B) time.Duration {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')'):]))
	var user, system time.Duration // in ticks of 10 ms, fields 14 and 15 (proc_pid_stat(5))
	if _, err := fmt.Sscan(fields[12]+" "+fields[13], &user, &system); err != nil {
		b.Fatal(err)
	}
	return (user + system) * 10 * time.Millisecond
}
