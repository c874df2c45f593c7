package checkpoint

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gofrs/flock"
)

// Lock makes the folder if it is missing and takes the file lock in it, without waiting. The lock ends with release or
// with the process, however that ends. The error wraps ErrLocked, and names the folder, if somebody else holds it.
//
// Lock is flock(2) on the file system of the operating system, whatever FS is. The file stays when the lock ends: to
// remove it would let two processes hold two files of one name.
func (s *Store) Lock() (release func() error, err error) {
	if s.Dir == "" {
		return nil, errors.New("no folder to lock")
	}
	if err := makeFolder(OS{}, s.Dir); err != nil {
		return nil, err
	}
	l := flock.New(s.path("lock"), flock.SetPermissions(fileMode))
	ok, err := l.TryLock()
	if err != nil {
		return nil, explain("locking the folder", s.Dir, err)
	}
	if !ok {
		return nil, fmt.Errorf("%s: %w", s.Dir, ErrLocked)
	}
	return sync.OnceValue(l.Unlock), nil
}
