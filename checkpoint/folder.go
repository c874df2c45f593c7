package checkpoint

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// makeFolder makes a folder, and those above it, durably: each one that is made is fsynced into the one above before
// anything is made inside it. The lowest that was there may have been left by a process that died before its fsync, so it
// is fsynced as well. Those above it are durable, because they were made first.
func makeFolder(fsys FS, dir string) error {
	dir = filepath.Clean(dir)
	parent := filepath.Dir(dir)
	err := fsys.Mkdir(dir)
	switch {
	case err == nil:
		err = syncFound(fsys, parent)
	case errors.Is(err, fs.ErrExist):
		return syncFound(fsys, dir)
	case errors.Is(err, fs.ErrNotExist) && parent != dir:
		if err := makeFolder(fsys, parent); err != nil {
			return err
		}
		err = fsys.Mkdir(dir)
	}
	if err != nil {
		return explain("making the folder", parent, err)
	}
	if err := fsys.SyncDir(parent); err != nil {
		return explain("making the folder durable", parent, err)
	}
	return nil
}

// syncFound makes durable a folder that was there. A parent that we may not look into, that is read-only, or whose file
// system knows no fsync of folders is not one in which we left it.
func syncFound(fsys FS, dir string) error {
	parent := filepath.Dir(dir)
	err := fsys.SyncDir(parent)
	if err == nil || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return explain("making the folder durable", parent, err)
}
