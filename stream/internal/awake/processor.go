package awake

import (
	"syscall"
	"testing"
	"time"
)

// ProcessorTime is what this process has used: on a busy machine the time of day says nothing.
func ProcessorTime(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
