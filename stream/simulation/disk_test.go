package simulation

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"rosenblatt/checkpoint"
)

// folder is a model's folder on a disk in memory. The lock is a real file: flock(2) knows no other.
type folder struct {
	mem       *vfs.MemFS
	root      string      // what the disk is mounted at
	used      atomic.Bool // by a task that lives
	published atomic.Bool // something of the model was published from it: it must not be without a checkpoint any more
	rng       *rand.Rand
}

const modelName = "model"

func (f *folder) dir() string { return filepath.Join(f.root, modelName) }

// made does to the disk in memory what Store.Lock does to the real one at every start: the folder is there, durably.
func (f *folder) made() error {
	if err := f.mem.MkdirAll("/"+modelName, 0o750); err != nil {
		return err
	}
	h, err := f.mem.OpenDir("/")
	if err != nil {
		return err
	}
	return errors.Join(h.Sync(), h.Close())
}

// losePower leaves of what was not synced nothing, all, or any part.
func (f *folder) losePower(percent int) {
	f.mem = f.mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: f.rng})
}

// damage flips a bit of the newest checkpoint, if there is another to go back to.
func (f *folder) damage() bool {
	names, err := f.mem.List("/" + modelName)
	var newest uint64
	n := 0
	for _, name := range names {
		if digits, ok := strings.CutPrefix(name, "checkpoint-"); ok {
			if seq, err := strconv.ParseUint(digits, 10, 64); err == nil {
				newest, n = max(newest, seq), n+1
			}
		}
	}
	if err != nil || n < 2 {
		return false
	}
	h, err := f.mem.OpenReadWrite(fmt.Sprintf("/%s/checkpoint-%d", modelName, newest), vfs.WriteCategoryUnspecified)
	if err != nil {
		return false
	}
	var b [1]byte
	info, err := h.Stat()
	if err == nil {
		at := f.rng.Int64N(info.Size())
		_, err = h.ReadAt(b[:], at)
		b[0] ^= 1 << f.rng.IntN(8)
		_, err2 := h.WriteAt(b[:], at)
		err = errors.Join(err, err2, h.Sync())
	}
	return errors.Join(err, h.Close()) == nil
}

// copyTo makes a copy such as cp -r makes.
func (f *folder) copyTo(root string, rng *rand.Rand) *folder {
	c := &folder{mem: f.mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rng}), root: root, rng: rng}
	c.published.Store(f.published.Load())
	return c
}

var (
	errDead = errors.New("this process is dead")
	errDisk = errors.New("an injected fault of the disk")
)

// disk is the folder's disk as one process sees it. It implements checkpoint.FS.
type disk struct {
	p   *process
	f   *folder
	mem *vfs.MemFS
}

// hang is how long a disk hangs.
const hang = time.Minute

// step counts an operation and says what becomes of it.
func (d *disk) step(op, path string) error {
	if !d.p.step(op != "open" && op != "list") {
		return errDead
	}
	switch d.p.diskFault(op) {
	case diskFails:
		d.p.hurt.Store(true)
		d.p.w.logf("%v disk: %s %s fails", d.p, op, filepath.Base(path))
		return fmt.Errorf("%s: %w: %w", op, errDisk, [...]error{syscall.EIO, syscall.ENOSPC}[d.p.ops.Load()%2])
	case diskHangs:
		d.p.w.logf("%v disk: %s %s hangs", d.p, op, filepath.Base(path))
		time.Sleep(hang)
		if d.p.dead.Load() {
			return errDead
		}
	}
	return nil
}

// in returns the place within the disk, false at or above its root, which is always there and durable.
func (d *disk) in(path string) (string, bool) {
	rel, err := filepath.Rel(d.f.root, path)
	return "/" + rel, err == nil && rel != "." && !strings.HasPrefix(rel, "..")
}

func (d *disk) Create(path string) (checkpoint.Handle, error) {
	if err := d.step("create", path); err != nil {
		return nil, err
	}
	at, _ := d.in(path)
	if _, err := d.mem.Stat(at); err == nil {
		return nil, fs.ErrExist
	}
	h, err := d.mem.Create(at, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, err
	}
	return handle{h, d, path}, nil
}

func (d *disk) Open(path string) (checkpoint.Handle, error) {
	if err := d.step("open", path); err != nil {
		return nil, err
	}
	at, _ := d.in(path)
	h, err := d.mem.Open(at)
	if err != nil {
		return nil, err
	}
	return handle{h, d, path}, nil
}

func (d *disk) Rename(from, to string) error {
	if err := d.step("rename", to); err != nil {
		return err
	}
	a, _ := d.in(from)
	b, _ := d.in(to)
	if err := d.mem.Rename(a, b); err != nil {
		return err
	}
	d.p.w.oracle.named(d, to)
	return nil
}

func (d *disk) Remove(path string) error {
	if err := d.step("remove", path); err != nil {
		return err
	}
	at, _ := d.in(path)
	return d.mem.Remove(at)
}

func (d *disk) List(path string) ([]string, error) {
	if err := d.step("list", path); err != nil {
		return nil, err
	}
	at, _ := d.in(path)
	return d.mem.List(at)
}

func (d *disk) Mkdir(path string) error {
	if err := d.step("mkdir", path); err != nil {
		return err
	}
	at, inside := d.in(path)
	if _, err := d.mem.Stat(at); err == nil || !inside {
		return fs.ErrExist
	}
	return d.mem.MkdirAll(at, 0o750)
}

func (d *disk) SyncDir(path string) error {
	if err := d.step("syncdir", path); err != nil {
		return err
	}
	at, inside := d.in(path)
	if !inside {
		at = "/"
	}
	h, err := d.mem.OpenDir(at)
	if err != nil {
		return err
	}
	return errors.Join(h.Sync(), h.Close())
}

type handle struct {
	vfs.File
	d    *disk
	path string
}

func (h handle) Write(p []byte) (int, error) {
	if err := h.d.step("write", h.path); err != nil {
		n, _ := h.File.Write(append([]byte(nil), p[:len(p)/2]...))
		return n, err
	}
	return h.File.Write(append([]byte(nil), p...)) // under the race detector pebble scribbles on what it was given
}

func (h handle) Sync() error {
	if err := h.d.step("sync", h.path); err != nil {
		return err
	}
	return h.File.Sync()
}

func (h handle) Stat() (fs.FileInfo, error) { return h.File.Stat() }

// calm is the disk without faults, for the oracle.
type calm struct{ *disk }

func (c calm) Open(path string) (checkpoint.Handle, error) {
	at, _ := c.in(path)
	h, err := c.mem.Open(at)
	if err != nil {
		return nil, err
	}
	return handle{h, c.disk, path}, nil
}

func (c calm) List(path string) ([]string, error) {
	at, _ := c.in(path)
	return c.mem.List(at)
}
