package checkpoint

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// FS is the part of a file system that a Store needs. Errors wrap fs.ErrExist, fs.ErrNotExist and fs.ErrPermission
// where these apply.
type FS interface {
	// Create creates a file for writing. It fails if the file exists.
	Create(path string) (Handle, error)
	// Open opens a file for reading.
	Open(path string) (Handle, error)
	// Rename renames a file atomically and replaces an existing one.
	Rename(from, to string) error
	Remove(path string) error
	// List returns the names in the folder, in any order.
	List(dir string) ([]string, error)
	// Mkdir creates one folder. It fails if it exists or its parent does not.
	Mkdir(dir string) error
	// SyncDir makes the names in the folder durable.
	SyncDir(dir string) error
}

// Handle is an open file.
type Handle interface {
	io.ReadWriteCloser
	// Sync makes the file's content durable.
	Sync() error
	Stat() (fs.FileInfo, error)
}

// OS is the file system of the operating system. Files have mode 0640, folders 0750.
type OS struct{}

const (
	fileMode   = 0o640
	folderMode = 0o750
)

// Create implements FS.
func (OS) Create(path string) (Handle, error) {
	return handle(os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode))
}

// Open implements FS. It rejects what is not a regular file: opening a pipe could block forever.
func (OS) Open(path string) (Handle, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	return handle(os.Open(path))
}

// handle prevents a Handle that holds a nil *os.File.
func handle(f *os.File, err error) (Handle, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Rename is os.Rename.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove is os.Remove.
func (OS) Remove(path string) error { return os.Remove(path) }

// List implements FS.
func (OS) List(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = d.Close() }() // it was only read
	return d.Readdirnames(-1)
}

// Mkdir is os.Mkdir.
func (OS) Mkdir(dir string) error { return os.Mkdir(dir, folderMode) }

// SyncDir fsyncs the folder, because the fsync of a file does not cover its name (fsync(2) of Linux).
func (OS) SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }() // it was only read
	return d.Sync()
}
