package stream

import (
	"fmt"
	"syscall"
	"testing"
)

// TestStateStopPasses: what others may free is worth another start, what an operator has to repair is not.
func TestStateStopPasses(t *testing.T) {
	t.Parallel()
	for cause, passes := range map[error]bool{syscall.EMFILE: true, syscall.ENFILE: true, syscall.ENOMEM: true,
		syscall.ENOSPC: true, syscall.EIO: false, syscall.EACCES: false, syscall.EROFS: false} {
		if got := stateStop("state", fmt.Errorf("opening: %w", cause)).IsRetriable(); got != passes {
			t.Errorf("%v: %t", cause, got)
		}
	}
}
