package cli

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// TestMain is a process that is interrupted twice, where TestSameSignal starts it.
func TestMain(m *testing.M) {
	if os.Getenv("INTERRUPTED_TWICE") == "" {
		os.Exit(m.Run())
	}
	ctx, stop := interruptible(time.Hour)
	interrupt()
	<-ctx.Done()
	stop()
	interrupt()
}

func interrupt() {
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// TestSameSignal: what passes a signal on sends it twice. The second one does not kill a process that ends already.
func TestSameSignal(t *testing.T) {
	t.Parallel()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "INTERRUPTED_TWICE=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
