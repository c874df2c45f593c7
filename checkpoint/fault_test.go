package checkpoint

import (
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// failOnce fails the n-th operation from now on (from 0), and tells which that was.
func failOnce(o *opFS, n int, with error) (failed *string) {
	failed = new(string)
	o.before = func(op string) error {
		n--
		if n == -1 {
			*failed = op
			return with
		}
		return nil
	}
	return failed
}

// Each operation of a save fails once because the disk is full: the previous checkpoint stays the newest, or after the
// rename the new one is, no temporary file remains, and the next save succeeds.
func TestEveryOperationFailsOnce(t *testing.T) {
	for n := 0; ; n++ {
		faulty := &opFS{under: newMem()}
		s := &Store{FS: faulty, Dir: testDir}
		for i := range 3 {
			mustSave(t, s, uint64(i+1), i+1)
		}
		faulty.log = nil
		failed := failOnce(faulty, n, syscall.ENOSPC)
		size, err := save(s, 4, 4)
		if *failed == "" {
			if n < 7 || err != nil {
				t.Fatalf("a save of %d operations: %v", n, err)
			}
			return
		}
		if !errors.Is(err, syscall.ENOSPC) ||
			!strings.Contains(err.Error(), "make room") != errors.Is(err, ErrNotPruned) {
			t.Errorf("%s failed: %v", *failed, err)
		}
		if (size > 0) != errors.Is(err, ErrNotPruned) {
			t.Errorf("%s failed: %d bytes, %v", *failed, size, err)
		}
		faulty.before = nil
		wantAfterFault(t, s, *failed)
		mustSave(t, s, 5, 5)
		wantNewest(t, s, 5, 5)
		names, err := faulty.List(testDir)
		if err != nil || len(names) != 3 {
			t.Errorf("%s failed, and after the next save the folder holds %v, %v", *failed, names, err)
		}
	}
}

// wantAfterFault checks the folder after the save of checkpoint 4 failed; 1, 2 and 3 exist.
func wantAfterFault(t *testing.T, s *Store, failed string) {
	t.Helper()
	switch {
	case slices.Contains([]string{"syncdir", "list", "remove"}, kind(failed)): // after the rename
		wantNames(t, s, "checkpoint-1", "checkpoint-2", "checkpoint-3", "checkpoint-4")
		wantNewest(t, s, 4, 4)
	default:
		wantNames(t, s, "checkpoint-1", "checkpoint-2", "checkpoint-3")
		wantNewest(t, s, 3, 3)
	}
}

// The same for the first save, which creates the folder.
func TestFirstSaveFailsAnywhere(t *testing.T) {
	for n := 0; ; n++ {
		faulty := &opFS{under: newMem()}
		s := &Store{FS: faulty, Dir: testDir}
		failed := failOnce(faulty, n, syscall.EIO)
		_, err := save(s, 1, 1)
		if *failed == "" {
			if err != nil {
				t.Fatal(err)
			}
			return
		}
		if !errors.Is(err, syscall.EIO) {
			t.Errorf("%s failed: %v", *failed, err)
		}
		faulty.before = nil
		mustSave(t, s, 1, 2)
		wantNames(t, s, "checkpoint-1")
		wantNewest(t, s, 1, 2)
	}
}

// A file whose fsync failed is not fsynced again: the kernel may drop what it could not write, and then succeed.
func TestNoFsyncAfterAFailedOne(t *testing.T) {
	var failed string
	mem := newMem()
	faulty := &opFS{under: mem}
	paths := &syncPaths{FS: faulty}
	s := &Store{FS: paths, Dir: testDir}
	mustSave(t, s, 1, 1)
	faulty.before = func(op string) error {
		if kind(op) == "sync" && failed == "" {
			failed = paths.created
			return syscall.EIO
		}
		return nil
	}
	if n, err := save(s, 2, 2); !errors.Is(err, syscall.EIO) || n != 0 {
		t.Fatalf("%d, %v", n, err)
	}
	synced := len(paths.synced)
	wantNames(t, s, "checkpoint-1")
	mustSave(t, s, 2, 3)
	wantNewest(t, s, 2, 3)
	if slices.Contains(paths.synced[synced:], failed) || paths.count(failed) != 1 || paths.created == failed {
		t.Errorf("the fsync of %s failed; later ones are %v", failed, paths.synced)
	}
}

// syncPaths records the paths of files that are created and fsynced.
type syncPaths struct {
	FS
	created string
	synced  []string
}

type syncPath struct {
	Handle
	of   *syncPaths
	path string
}

func (f *syncPaths) Create(path string) (Handle, error) {
	f.created = path
	h, err := f.FS.Create(path)
	return &syncPath{h, f, path}, err
}

func (h *syncPath) Sync() error {
	h.of.synced = append(h.of.synced, h.path)
	return h.Handle.Sync()
}

func (f *syncPaths) count(path string) (n int) {
	for _, p := range f.synced {
		if p == path {
			n++
		}
	}
	return n
}

// A temporary file that cannot be removed is removed once the disk has recovered.
func TestTempFileIsRemovedLater(t *testing.T) {
	faulty := &opFS{under: newMem()}
	s := &Store{FS: faulty, Dir: testDir}
	mustSave(t, s, 1, 1)
	faulty.before = func(op string) error {
		if k := kind(op); k == "sync" || k == "remove" {
			return syscall.EIO
		}
		return nil
	}
	if _, err := save(s, 2, 2); !errors.Is(err, syscall.EIO) {
		t.Fatal(err)
	}
	faulty.before = nil
	if names, err := faulty.List(testDir); err != nil || len(names) != 2 {
		t.Fatalf("%v, %v: want the temporary file too", names, err)
	}
	mustSave(t, s, 2, 3)
	wantNames(t, s, "checkpoint-1", "checkpoint-2")
}

// A folder that cannot be written, with a temporary file in it: Newest reads what is there, and Save says what is wrong
// until the disk has recovered.
func TestNewestInAReadOnlyFolder(t *testing.T) {
	mem := newMem()
	mustSave(t, &Store{FS: mem, Dir: testDir}, 7, 7)
	temp := testDir + "/checkpoint-8.0123456789abcdef.tmp"
	put(t, mem, temp, []byte("incomplete"))
	faulty := &opFS{under: mem, before: func(op string) error {
		if k := kind(op); k == "remove" || k == "create" {
			return syscall.EROFS
		}
		return nil
	}}
	s := &Store{FS: faulty, Dir: testDir}
	if f, aside, err := s.Newest(); err != nil || f == nil || f.Seq != 7 || len(aside) > 0 {
		t.Fatalf("%v, %v, %v", f, aside, err)
	}
	if _, err := save(s, 8, 8); !errors.Is(err, syscall.EROFS) {
		t.Fatal(err)
	}
	faulty.before = nil
	mustSave(t, s, 8, 8)
	wantNames(t, s, "checkpoint-7", "checkpoint-8")
	wantNewest(t, s, 8, 8)
}

// If an invalid file cannot be renamed, Newest returns neither a file nor ErrNoneValid.
func TestSettingAsideFails(t *testing.T) {
	mem := newMem()
	mustSave(t, &Store{FS: mem, Dir: testDir}, 1, 1)
	put(t, mem, testDir+"/checkpoint-2", []byte("garbage"))
	faulty := &opFS{under: mem, before: func(op string) error {
		if kind(op) == "rename" {
			return syscall.EROFS
		}
		return nil
	}}
	s := &Store{FS: faulty, Dir: testDir}
	if f, aside, err := s.Newest(); f != nil || len(aside) > 0 || !errors.Is(err, syscall.EROFS) {
		t.Fatalf("%v, %v, %v", f, aside, err)
	}
	wantNames(t, s, "checkpoint-1", "checkpoint-2")
	wantNewest(t, &Store{FS: mem, Dir: testDir}, 1, 1)
}
