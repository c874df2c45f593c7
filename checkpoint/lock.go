package checkpoint

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gofrs/flock"
)

// Lock creates the folder if it is missing and locks it until release, or until the process ends. It does not wait:
// the error wraps ErrLocked.
//
// Lock is flock(2), even with another FS. It never removes the file: two processes could then lock two files of the
// same name.
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
