package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// ErrNoneValid is met in Newest when checkpoint files stand in the folder, or stood there and were set aside, and none
// is valid. Starting afresh then forgets what was learned: a decision for the operator.
var ErrNoneValid = errors.New("no valid checkpoint")

// ErrLocked is met in Lock when another process, or another Store of this one, holds the folder.
var ErrLocked = errors.New("folder in use by another process")

// ErrNotPruned is met in Save when the new checkpoint is durable but an old one could not be removed. The bytes that Save
// returns beside it are not 0. The next Save tries again.
var ErrNotPruned = errors.New("saved, but old checkpoints not removed")

// ErrOlder is met in Save when the folder holds a checkpoint of a higher seq, behind which the new one would never be found.
var ErrOlder = errors.New("older than the newest checkpoint")

// Invalid says that the bytes of a file are not those of a checkpoint that Save wrote.
type Invalid struct {
	Path   string
	Offset int64  // the byte where reading it found the mismatch, from 0
	Reason string // what was found there
}

func (e *Invalid) Error() string {
	return fmt.Sprintf("%s is not a valid checkpoint: at byte %d: %s", e.Path, e.Offset, e.Reason)
}

// NewerVersion says that a file has a sound first line that names a format of a later program. It is neither read nor set
// aside: run the later program, or move the file away.
type NewerVersion struct {
	Path    string
	Version int // as the file has it, above Version
}

func (e *NewerVersion) Error() string {
	return fmt.Sprintf("%s has format version %d, this program reads up to %d: use the program that wrote it, or a later one",
		e.Path, e.Version, Version)
}

// SetAside is a file that Newest found invalid and renamed.
type SetAside struct {
	From string // its path before
	To   string // its path now
	Why  *Invalid
}

// explain adds to an error of the operating system what an operator can do about it.
func explain(doing, dir string, err error) error {
	var hint string
	switch {
	case errors.Is(err, fs.ErrPermission):
		hint = "; give the user that runs this process read, write and search rights on " + dir
	case errors.Is(err, syscall.EROFS):
		hint = "; " + dir + " is mounted read-only, mount it for writing or choose another folder"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		hint = "; make room for " + dir + ", the checkpoints before are untouched"
	case errors.Is(err, syscall.ENOTDIR):
		hint = "; " + dir + " or a part of it is a file where a folder should be"
	}
	return fmt.Errorf("%s: %w%s", doing, err, hint)
}
