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
	Path    string
	Offset  int64  // of the mismatch
	Reason  string // what is wrong there, or with what it builds on
	Missing string // path of a file that it builds on, if all that is wrong is that this one does not exist

	base bool // the fault is in what it builds on
}

func (e *Invalid) Error() string { return e.Path + " is not a valid checkpoint: " + e.fault() }

func (e *Invalid) fault() string {
	if e.base {
		return e.Reason
	}
	return fmt.Sprintf("at byte %d: %s", e.Offset, e.Reason)
}

// MissingBase is the error of Newest if no file is valid for one reason: files that they build on do not exist. Those
// that are left are sound, and are not renamed.
type MissingBase struct {
	Path  string // of the missing one that the newest file builds on
	Files int    // how many files lack one
}

func (e *MissingBase) Error() string {
	if e.Files == 1 {
		return e.Path + " is missing: the only checkpoint left builds on it"
	}
	return fmt.Sprintf("%s is missing: all %d checkpoints left build on it, or on another missing one", e.Path, e.Files)
}

// OtherVersion is the error of a file of an earlier or later program. Newest does not rename it.
type OtherVersion struct {
	Path    string
	Version int // as the file has it, not that of this program
}

// Older reports whether an earlier program wrote the file.
func (e *OtherVersion) Older() bool { return e.Version < Version }

func (e *OtherVersion) Error() string {
	remedy := "use the program that wrote it, or a later one"
	if e.Older() {
		remedy = "use the program that wrote it, or begin the model anew"
	}
	return fmt.Sprintf("%s has format version %d, this program reads %d: %s", e.Path, e.Version, Version, remedy)
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
