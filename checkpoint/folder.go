package checkpoint

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// makeFolder creates a folder and its parents durably: it fsyncs the parent of each before it creates anything
// inside. The lowest existing folder may be left from a process that died before its fsync.
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

// syncFound makes a folder that exists durable. If its parent cannot be opened, is read-only, or does not support
// fsync, no process of ours created it there.
func syncFound(fsys FS, dir string) error {
	parent := filepath.Dir(dir)
	err := fsys.SyncDir(parent)
	if err == nil || errors.Is(err, fs.ErrPermission) ||
		errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return explain("making the folder durable", parent, err)
}
