package checkpoint

import (
	"fmt"
	"io"
	"os"
)

// FS is what a Store needs of a file system. Paths are as package filepath makes them. Errors wrap fs.ErrExist,
// fs.ErrNotExist and fs.ErrPermission where these apply.
type FS interface {
	// Create makes a new file for writing. A file that is there is an error.
	Create(path string) (Handle, error)
	// Open opens a file for reading.
	Open(path string) (Handle, error)
	// Rename gives a file another name in one step, replacing a file of that name.
	Rename(from, to string) error
	Remove(path string) error
	// List gives the names of what stands in the folder, in any order.
	List(dir string) ([]string, error)
	// Mkdir makes one folder in one that exists. A folder or file that is there is an error.
	Mkdir(dir string) error
	// SyncDir makes durable which names stand in the folder.
	SyncDir(dir string) error
}

// Handle is an open file.
type Handle interface {
	io.ReadWriteCloser
	// Sync makes durable what was written.
	Sync() error
	// Size is the length of the file in bytes.
	Size() (int64, error)
}

// OS is the file system of the operating system. Files are made with mode 0640, folders with 0750.
type OS struct{}

const (
	fileMode   = 0o640
	folderMode = 0o750
)

// Create makes a new file for writing (O_EXCL).
func (OS) Create(path string) (Handle, error) {
	return handle(os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode))
}

// Open opens a regular file for reading. Anything else, such as a pipe, on which opening could wait forever, is an error.
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

// Rename is os.Rename.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove is os.Remove.
func (OS) Remove(path string) error { return os.Remove(path) }

// List reads the names in a folder.
func (OS) List(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	names, err := d.Readdirnames(-1)
	_ = d.Close() // nothing was written
	return names, err
}

// Mkdir is os.Mkdir.
func (OS) Mkdir(dir string) error { return os.Mkdir(dir, folderMode) }

// SyncDir opens the folder and fsyncs it, as fsync(2) of Linux asks for: the fsync of a file does not cover its name.
func (OS) SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	_ = d.Close() // nothing was written through it
	return err
}

type osHandle struct{ *os.File }

// handle keeps a nil *os.File from becoming a Handle that is not nil.
func handle(f *os.File, err error) (Handle, error) {
	if err != nil {
		return nil, err
	}
	return osHandle{f}, nil
}

func (h osHandle) Size() (int64, error) {
	info, err := h.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
