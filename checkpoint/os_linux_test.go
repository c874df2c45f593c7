package checkpoint

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// asNobody runs f on a thread with another user's access to files, because root may read everything.
func asNobody(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		if os.Geteuid() == 0 {
			_, _, _ = syscall.RawSyscall(syscall.SYS_SETFSUID, 65534, 0, 0) // returns the old id, no error
		}
		f()
	}()
	<-done
}

func TestFolderNotOurs(t *testing.T) {
	above := t.TempDir()
	for _, dir := range []string{filepath.Dir(above), above} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	closed := filepath.Join(above, "model")
	if err := os.Mkdir(closed, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(closed, 0o700) }) // t.TempDir removes it
	asNobody(func() {
		s := &Store{Dir: closed}
		_, locking := s.Lock()
		_, _, reading := s.Newest()
		_, saving := save(s, 1, 1)
		for _, err := range []error{locking, reading, saving} {
			if !errors.Is(err, fs.ErrPermission) ||
				!strings.Contains(err.Error(), "give the user that runs this process") {
				t.Errorf("a folder without rights: %v", err)
			}
		}
	})
}
