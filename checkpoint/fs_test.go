package checkpoint

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// memFS is pebble's in-memory file system, which can simulate a power loss.
type memFS struct{ m *vfs.MemFS }

type memHandle struct{ vfs.File }

func (h memHandle) Stat() (fs.FileInfo, error) { return h.File.Stat() }

func (f memFS) Create(path string) (Handle, error) {
	if _, err := f.m.Stat(path); err == nil {
		return nil, fs.ErrExist
	}
	h, err := f.m.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, err
	}
	return memHandle{h}, nil
}

func (f memFS) Open(path string) (Handle, error) {
	h, err := f.m.Open(path)
	if err != nil {
		return nil, err
	}
	return memHandle{h}, nil
}

func (f memFS) Rename(from, to string) error      { return f.m.Rename(from, to) }
func (f memFS) Remove(path string) error          { return f.m.Remove(path) }
func (f memFS) List(dir string) ([]string, error) { return f.m.List(dir) }

func (f memFS) Mkdir(dir string) error {
	if _, err := f.m.Stat(dir); err == nil {
		return fs.ErrExist
	}
	if _, err := f.m.Stat(filepath.Dir(dir)); err != nil {
		return err
	}
	return f.m.MkdirAll(dir, folderMode)
}

func (f memFS) SyncDir(dir string) error {
	h, err := f.m.OpenDir(dir)
	if err != nil {
		return err
	}
	if err := h.Sync(); err != nil {
		return err
	}
	return h.Close()
}

// opFS logs each operation before it is done, and can fail or skip it.
type opFS struct {
	under  FS
	before func(op string) error // its error replaces the operation; of a write half is done
	skip   func(op string) bool  // the operation succeeds without being done
	log    []string
}

var randomPart = regexp.MustCompile(`\.[0-9a-f]{16}\.tmp`)

// step logs an operation as its name and arguments, with paths reduced to their base without the random part.
func (o *opFS) step(format string, args ...any) (skip bool, err error) {
	for i, a := range args {
		if path, ok := a.(string); ok {
			args[i] = randomPart.ReplaceAllString(filepath.Base(path), ".<random>.tmp")
		}
	}
	op := fmt.Sprintf(format, args...)
	o.log = append(o.log, op)
	if o.before != nil {
		err = o.before(op)
	}
	return o.skip != nil && o.skip(op), err
}

func (o *opFS) do(f func() error, format string, args ...any) error {
	skip, err := o.step(format, args...)
	if err != nil || skip {
		return err
	}
	return f()
}

func (o *opFS) handle(path string, open func(string) (Handle, error), what string) (Handle, error) {
	if _, err := o.step(what+" %s", path); err != nil {
		return nil, err
	}
	h, err := open(path)
	if err != nil {
		return nil, err
	}
	return &opHandle{h, o, path}, nil
}

func (o *opFS) Create(path string) (Handle, error) { return o.handle(path, o.under.Create, "create") }
func (o *opFS) Open(path string) (Handle, error)   { return o.handle(path, o.under.Open, "open") }

func (o *opFS) Rename(from, to string) error {
	return o.do(func() error { return o.under.Rename(from, to) }, "rename %s %s", from, to)
}

func (o *opFS) Remove(path string) error {
	return o.do(func() error { return o.under.Remove(path) }, "remove %s", path)
}

func (o *opFS) List(dir string) ([]string, error) {
	if _, err := o.step("list %s", dir); err != nil {
		return nil, err
	}
	return o.under.List(dir)
}

func (o *opFS) Mkdir(dir string) error {
	return o.do(func() error { return o.under.Mkdir(dir) }, "mkdir %s", dir)
}

func (o *opFS) SyncDir(dir string) error {
	return o.do(func() error { return o.under.SyncDir(dir) }, "syncdir %s", dir)
}

type opHandle struct {
	Handle
	fs   *opFS
	path string
}

func (h *opHandle) Write(p []byte) (int, error) {
	if _, err := h.fs.step("write %s %d bytes", h.path, len(p)); err != nil {
		n, _ := h.Handle.Write(p[:len(p)/2])
		return n, err
	}
	return h.Handle.Write(p)
}

func (h *opHandle) Read(p []byte) (int, error) {
	if _, err := h.fs.step("read %s", h.path); err != nil {
		return 0, err
	}
	return h.Handle.Read(p)
}

func (h *opHandle) Sync() error { return h.fs.do(h.Handle.Sync, "sync %s", h.path) }

func (h *opHandle) Close() error {
	_, err := h.fs.step("close %s", h.path)
	if closing := h.Handle.Close(); err == nil {
		err = closing
	}
	return err
}

// kind returns the name of an operation.
func kind(op string) string {
	word, _, _ := strings.Cut(op, " ")
	return word
}
