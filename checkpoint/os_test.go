package checkpoint

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOSFileSystem(t *testing.T) {
	s := &Store{Dir: filepath.Join(t.TempDir(), "state", "model")}
	release, err := s.Lock()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		mustSave(t, s, uint64(i+8), i)
	}
	wantNames(t, s, "checkpoint-10", "checkpoint-11", "checkpoint-12", "lock")
	wantNewest(t, s, 12, 4)
	for name, mode := range map[string]fs.FileMode{"": folderMode, "lock": fileMode, "checkpoint-12": fileMode} {
		info, err := os.Stat(filepath.Join(s.Dir, name))
		if err != nil || info.Mode().Perm()&^mode != 0 {
			t.Errorf("mode of %q: %v, %v", name, info.Mode(), err)
		}
	}
	if err := release(); err != nil {
		t.Error(err)
	}
}

func TestCreateIsExclusive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	h, err := OS{}.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if h, err := (OS{}).Create(path); h != nil || !errors.Is(err, fs.ErrExist) {
		t.Errorf("the second Create returns %v, %v", h, err)
	}
}

func TestFolderThatIsAFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(dir, nil, fileMode); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Store{{Dir: dir}, {Dir: filepath.Join(dir, "below")}} {
		_, locking := s.Lock()
		_, _, reading := s.Newest()
		_, saving := save(s, 1, 1)
		for _, err := range []error{locking, reading, saving} {
			if err == nil || !strings.Contains(err.Error(), "is a file where a folder should be") {
				t.Errorf("%s: %v", s.Dir, err)
			}
		}
	}
}

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	s := &Store{Dir: t.TempDir()}
	if err := os.Mkdir(filepath.Join(s.Dir, "checkpoint-1"), folderMode); err != nil {
		t.Fatal(err)
	}
	if f, aside, err := s.Newest(); f != nil || len(aside) > 0 || err == nil ||
		!strings.Contains(err.Error(), "regular") {
		t.Errorf("%v, %v, %v", f, aside, err)
	}
	if _, err := Open(nil, os.DevNull); err == nil {
		t.Error("a device was opened")
	}
	if _, err := Open(nil, filepath.Join(s.Dir, "absent")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestLockNeedsAFolder(t *testing.T) {
	if _, err := (&Store{}).Lock(); err == nil {
		t.Error("no folder was locked")
	}
}
