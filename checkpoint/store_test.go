package checkpoint

import (
	"errors"
	"io/fs"
	"math"
	"strings"
	"syscall"
	"testing"
)

func TestNewestThreeInNumericOrder(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	for generation, seq := range []uint64{0, 8, 9, 10, 99, 100, math.MaxUint64} {
		mustSave(t, s, seq, generation)
		wantNewest(t, s, seq, generation)
	}
	wantNames(t, s, "checkpoint-100", "checkpoint-18446744073709551615", "checkpoint-99")
	paths, err := s.Files()
	want := testDir + "/checkpoint-18446744073709551615 " + testDir + "/checkpoint-100 " + testDir + "/checkpoint-99"
	if got := strings.Join(paths, " "); err != nil || got != want {
		t.Errorf("files %s, %v, want %s", got, err, want)
	}
}

func TestSameSeqReplaces(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	mustSave(t, s, 5, 1)
	mustSave(t, s, 5, 2)
	wantNames(t, s, "checkpoint-5")
	wantNewest(t, s, 5, 2)
}

func TestKeep(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir, Keep: 1}
	mustSave(t, s, 9, 1)
	mustSave(t, s, 10, 2)
	wantNames(t, s, "checkpoint-10", "checkpoint-9") // one that shares nothing with the newest
}

// Newest would not find an older checkpoint, and pruning could remove it.
func TestOlderSeqIsRefused(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	mustSave(t, s, 10, 1)
	for _, store := range []*Store{s, {FS: s.FS, Dir: s.Dir}} {
		if _, err := save(store, 9, 2); !errors.Is(err, ErrOlder) {
			t.Errorf("saving 9 after 10: %v", err)
		}
	}
	wantNames(t, s, "checkpoint-10")
	mustSave(t, s, 10, 3)
}

func TestOtherFilesAreLeftAlone(t *testing.T) {
	fsys := newMem()
	others := []string{
		"checkpoint-", "checkpoint-007", "checkpoint-1.0123456789ABCDEF.tmp", "checkpoint-1.0123456789abcde.tmp",
		"checkpoint-1.tmp",
		"checkpoint-18446744073709551616", "checkpoint-7.bak", "checkpoint-x.0123456789abcdef.tmp", "lock", "notes.tmp",
	}
	for _, name := range others {
		put(t, fsys, testDir+"/"+name, []byte("mine"))
	}
	put(t, fsys, testDir+"/checkpoint-1.0123456789abcdef.tmp", []byte("incomplete"))
	s := &Store{FS: fsys, Dir: testDir}
	if f, aside, err := s.Newest(); f != nil || aside != nil || err != nil {
		t.Fatalf("%v, %v, %v", f, aside, err)
	}
	wantNames(t, s, others...)
	put(t, fsys, testDir+"/checkpoint-1.0123456789abcdef.tmp", []byte("incomplete"))
	fresh := &Store{FS: fsys, Dir: testDir, Keep: 1}
	mustSave(t, fresh, 1, 1)
	if err := fsys.Remove(testDir + "/checkpoint-1"); err != nil {
		t.Fatal(err)
	}
	wantNames(t, s, others...)
}

func TestNewestWithoutFolder(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	if f, aside, err := s.Newest(); f != nil || aside != nil || err != nil {
		t.Errorf("%v, %v, %v", f, aside, err)
	}
	mustSave(t, s, 1, 1)
	wantNewest(t, s, 1, 1)
}

// damage changes the middle byte of a checkpoint.
func damage(t *testing.T, fsys memFS, name string) {
	t.Helper()
	data := get(t, fsys, testDir+"/"+name)
	data[len(data)/2]++
	put(t, fsys, testDir+"/"+name, data)
}

func TestInvalidFilesAreSetAside(t *testing.T) {
	fsys := newMem()
	s := &Store{FS: fsys, Dir: testDir}
	mustSave(t, s, 9, 1)
	mustSave(t, s, 10, 2)
	mustSave(t, s, 11, 3)
	damage(t, fsys, "checkpoint-10")
	put(t, fsys, testDir+"/checkpoint-11", nil)
	f, aside, err := s.Newest()
	if err != nil || f == nil || f.Seq != 9 || len(aside) != 2 {
		t.Fatalf("%v, %v, %v", f, aside, err)
	}
	for i, name := range []string{"checkpoint-11", "checkpoint-10"} {
		a, from := aside[i], testDir+"/"+name
		if a.From != from || a.To != from+".corrupt" || a.Why.Path != from || a.Why.Reason == "" {
			t.Errorf("set aside %+v", a)
		}
	}
	wantNames(t, s, "checkpoint-10.corrupt", "checkpoint-11.corrupt", "checkpoint-9")
	mustSave(t, s, 10, 4)
	wantNewest(t, s, 10, 4)
}

func TestCorruptFilesAreNeverOverwritten(t *testing.T) {
	fsys := newMem()
	s := &Store{FS: fsys, Dir: testDir}
	for i, want := range []string{"checkpoint-7.corrupt", "checkpoint-7.2.corrupt", "checkpoint-7.3.corrupt"} {
		put(t, fsys, testDir+"/checkpoint-7", []byte{byte(i)})
		_, aside, err := s.Newest()
		if !errors.Is(err, ErrNoneValid) || len(aside) != 1 || aside[0].To != testDir+"/"+want {
			t.Fatalf("%v, %v", aside, err)
		}
		if got := get(t, fsys, testDir+"/"+want); len(got) != 1 || got[0] != byte(i) {
			t.Errorf("%s holds %v", want, got)
		}
	}
	if f, aside, err := s.Newest(); f != nil || len(aside) != 0 || !errors.Is(err, ErrNoneValid) ||
		!strings.Contains(err.Error(), testDir) {
		t.Errorf("only *.corrupt left: %v, %v, %v", f, aside, err)
	}
	mustSave(t, s, 1, 1) // the operator decided to start without a checkpoint
	wantNewest(t, s, 1, 1)
}

// TestNewestThreeCorruptFilesAreKept: a disk that damages file after file does not fill with them, also when seqs begin
// anew.
func TestNewestThreeCorruptFilesAreKept(t *testing.T) {
	fsys := newMem()
	s := &Store{FS: fsys, Dir: testDir}
	put(t, fsys, testDir+"/checkpoint-mine.corrupt", nil)
	setAside := func(want string, seqs ...uint64) {
		t.Helper()
		for _, seq := range seqs {
			put(t, fsys, testDir+"/"+fileName(seq), []byte("damaged"))
		}
		if _, aside, err := s.Newest(); len(aside) != len(seqs) || !errors.Is(err, ErrNoneValid) {
			t.Fatalf("%v, %v", aside, err)
		}
		wantNames(t, s, strings.Fields(want+" checkpoint-mine.corrupt")...)
	}
	setAside("checkpoint-9.corrupt", 9)
	setAside("checkpoint-9.2.corrupt checkpoint-9.corrupt", 9)
	setAside("checkpoint-10.corrupt checkpoint-9.2.corrupt checkpoint-9.corrupt", 10)
	setAside("checkpoint-10.corrupt checkpoint-9.2.corrupt checkpoint-9.3.corrupt", 9)
	setAside("checkpoint-10.2.corrupt checkpoint-10.corrupt checkpoint-9.3.corrupt", 10)
	setAside("checkpoint-1.corrupt checkpoint-10.2.corrupt checkpoint-10.corrupt", 1) // a model begun anew
	setAside("checkpoint-1.2.corrupt checkpoint-2.corrupt checkpoint-3.corrupt", 1, 2, 3)
	setAside("checkpoint-4.corrupt checkpoint-5.corrupt checkpoint-6.corrupt checkpoint-7.corrupt", 4, 5, 6, 7)
	if _, _, err := s.Newest(); !errors.Is(err, ErrNoneValid) { // nothing is set aside: nothing goes
		t.Fatal(err)
	}
	wantNames(t, s, "checkpoint-4.corrupt", "checkpoint-5.corrupt", "checkpoint-6.corrupt", "checkpoint-7.corrupt",
		"checkpoint-mine.corrupt")

	mustSave(t, s, 9, 1)
	put(t, fsys, testDir+"/checkpoint-10", nil)
	refuses := &opFS{under: fsys, before: func(op string) error {
		if kind(op) == "remove" {
			return syscall.EROFS
		}
		return nil
	}}
	f, _, err := (&Store{FS: refuses, Dir: testDir}).Newest()
	if f != nil || !errors.Is(err, syscall.EROFS) {
		t.Errorf("a file that cannot be removed: %v, %v", f, err)
	}
}

func TestOtherVersionStopsBeforeOlderFiles(t *testing.T) {
	fsys := newMem()
	s := &Store{FS: fsys, Dir: testDir}
	mustSave(t, s, 9, 1)
	put(t, fsys, testDir+"/checkpoint-10", []byte(lineOf(magic+"11")+"from the future"))
	put(t, fsys, testDir+"/checkpoint-11", []byte("garbage"))
	f, aside, err := s.Newest()
	var other *OtherVersion
	if f != nil || !errors.As(err, &other) || other.Version != Version+1 || len(aside) != 0 {
		t.Fatalf("%v, %v, %v", f, aside, err)
	}
	wantNames(t, s, "checkpoint-10", "checkpoint-11", "checkpoint-9")
}

// A read error does not make a checkpoint invalid.
func TestReadErrorIsNotCorruption(t *testing.T) {
	mem := newMem()
	mustSave(t, &Store{FS: mem, Dir: testDir}, 9, 1)
	mustSave(t, &Store{FS: mem, Dir: testDir}, 10, 2)
	for _, op := range []string{"list", "open", "read"} {
		bad := &opFS{under: mem, before: func(o string) error {
			if kind(o) == op {
				return syscall.EIO
			}
			return nil
		}}
		s := &Store{FS: bad, Dir: testDir}
		if f, aside, err := s.Newest(); f != nil || len(aside) > 0 || !errors.Is(err, syscall.EIO) {
			t.Errorf("%s: %v, %v, %v", op, f, aside, err)
		}
	}
	wantNames(t, &Store{FS: mem, Dir: testDir}, "checkpoint-10", "checkpoint-9")
}

// shrinking reports files longer than they are, as if they were truncated while they are read.
type shrinking struct{ FS }

type longer struct{ Handle }

type longerInfo struct{ fs.FileInfo }

func (f shrinking) Open(path string) (Handle, error) {
	h, err := f.FS.Open(path)
	return longer{h}, err
}

func (h longer) Stat() (fs.FileInfo, error) {
	info, err := h.Handle.Stat()
	return longerInfo{info}, err
}

func (i longerInfo) Size() int64 { return i.FileInfo.Size() + 100 }

func TestFileThatShrinksIsAReadError(t *testing.T) {
	fsys := newMem()
	for n := range 178 { // from there on the trailer's length differs
		put(t, fsys, testDir+"/checkpoint-42", goldenWhole.bytes(t)[:n])
		_, err := Open(shrinking{fsys}, testDir+"/checkpoint-42")
		var invalid *Invalid
		if err == nil || errors.As(err, &invalid) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for cause, want := range map[error]string{
		fs.ErrPermission: "give the user", syscall.EACCES: "give the user", syscall.EROFS: "mounted read-only",
		syscall.ENOSPC: "make room", syscall.ENOTDIR: "is a file",
	} {
		bad := &opFS{under: newMem(), before: func(string) error { return cause }}
		s := &Store{FS: bad, Dir: testDir}
		_, _, err := s.Newest()
		_, saving := save(s, 1, 1)
		_, listing := s.Files()
		for _, err := range []error{err, saving, listing} {
			if !errors.Is(err, cause) || !strings.Contains(err.Error(), want) ||
				!strings.Contains(err.Error(), testDir) {
				t.Errorf("%v: %v", cause, err)
			}
		}
	}
}
