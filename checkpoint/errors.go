package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// ErrNoneValid is the error of Newest if there are checkpoint files, maybe renamed to *.corrupt, but none is valid.
var ErrNoneValid = errors.New("no valid checkpoint")

// ErrLocked is the error of Lock if another process or Store has locked the folder.
var ErrLocked = errors.New("folder in use by another process")

// ErrNotPruned is the error of Save if the new checkpoint is durable, and its size returned, but an old one could not
// be removed. The next Save tries again.
var ErrNotPruned = errors.New("saved, but old checkpoints not removed")

// ErrOlder is the error of Save if the folder holds a checkpoint of a higher seq: Newest would not find the new one.
var ErrOlder = errors.New("older than the newest checkpoint")

// Invalid is the error of a file that Save did not write so.
type Invalid struct {
	Path   string
	Offset int64  // of the mismatch
	Reason string // what is wrong there
}

func (e *Invalid) Error() string {
	return fmt.Sprintf("%s is not a valid checkpoint: at byte %d: %s", e.Path, e.Offset, e.Reason)
}

// NewerVersion is the error of a file of a later program. Newest does not rename it.
type NewerVersion struct {
	Path    string
	Version int // as the file has it, above Version
}

func (e *NewerVersion) Error() string {
	return fmt.Sprintf("%s has format version %d, this program reads up to %d: "+
		"use the program that wrote it, or a later one", e.Path, e.Version, Version)
}

// SetAside is an invalid file that Newest renamed.
type SetAside struct {
	From string // its path before
	To   string // its path now
	Why  *Invalid
}

// explain adds a remedy to an error of the operating system.
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
