package checkpoint

import (
	"fmt"
	"io"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// lines is a history of saves that build on each other, and are pruned.
type lines struct {
	*history
	keep  int
	was   []*tables // by generation, from 1
	whole int       // durable files that are self-contained
	kinds map[string]int
}

// runLines saves generations as runHistory does. A new process goes on with what it reads now and then, and some saves
// replace the one before.
func runLines(t *testing.T, keep, generations int, skip func(op string) bool) *lines {
	t.Helper()
	l := &lines{history: &history{mem: vfs.NewCrashableMem(), enough: skip != nil}, keep: keep, kinds: map[string]int{}}
	l.restart = l.restartLine
	x, s := newTables(60), l.store(t, keep, skip)
	for generation := 1; generation <= generations; generation++ {
		x.next()
		l.was, l.seqs = append(l.was, x.clone()), append(l.seqs, uint64(generation-generation/13))
		saved := x.mustSave(t, s, l.seqs[generation-1])
		l.durable = generation
		switch {
		case saved.Base.seq == l.seqs[generation-1] && saved.Base.above == 0:
			l.kinds["self-contained"]++
			l.whole++
		case saved.Base.seq == l.seqs[generation-1]:
			l.kinds["a base itself"]++
		default:
			l.kinds["small"]++
		}
		if generation%10 == 0 {
			s = l.store(t, keep, skip)
			f, _, err := s.Newest()
			if err == nil {
				err = x.load(f)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	l.cutPower(t)
	return l
}

// restartLine checks that a process started after the power loss finds the last save that returned, or the one in
// progress, as it was saved, and can go on, even if the disk damages a file then.
func (l *lines) restartLine(after *vfs.MemFS) error {
	s := &Store{FS: memFS{after}, Dir: testDir, Keep: l.keep}
	f, aside, err := s.Newest()
	switch {
	case err != nil:
		return err
	case len(aside) > 0:
		return fmt.Errorf("a checkpoint is invalid: %v", aside[0].Why)
	case f == nil && l.durable > 0:
		return fmt.Errorf("no checkpoint")
	}
	x := newTables(60)
	if f != nil {
		if err := x.load(f); err != nil {
			return err
		}
		if g := x.generation; g != l.durable && g != l.durable+1 || f.Seq != l.seqs[g-1] {
			return fmt.Errorf("generation %d at %d", g, f.Seq)
		}
		if err := l.was[x.generation-1].same(f); err != nil {
			return err
		}
	}
	return l.resumeLine(s, after, x)
}

// resumeLine saves a few more generations, loses the power and everything unsynced, and checks that the last one is
// found, and that a checkpoint remains whichever file is damaged.
func (l *lines) resumeLine(s *Store, disk *vfs.MemFS, x *tables) error {
	was := map[int]*tables{}
	for _, g := range l.was {
		was[g.generation] = g
	}
	for n := range uint64(3) {
		x.next()
		was[x.generation] = x.clone()
		if _, err := x.save(s, 1000+n); err != nil {
			return fmt.Errorf("another save: %w", err)
		}
	}
	again := disk.CrashClone(vfs.CrashCloneCfg{})
	f, aside, err := (&Store{FS: memFS{again}, Dir: testDir}).Newest()
	if err != nil || len(aside) > 0 || f == nil || f.Seq != 1002 {
		return fmt.Errorf("after more saves: %v, %v, %w", f, aside, err)
	}
	if err := x.same(f); err != nil || l.whole < 2 {
		return err
	}
	for _, path := range append(f.BuildsOn, f.Path) {
		damaged := again.CrashClone(vfs.CrashCloneCfg{})
		if err := damaged.Remove(path); err != nil {
			return err
		}
		found, _, err := (&Store{FS: memFS{damaged}, Dir: testDir}).Newest()
		if err != nil {
			return fmt.Errorf("after more saves, without %s: %w", path, err)
		}
		y := newTables(60)
		if err := y.load(found); err != nil {
			return err
		}
		if err := was[y.generation].same(found); err != nil {
			return fmt.Errorf("after more saves, without %s: %w", path, err)
		}
	}
	return nil
}

func TestPowerLossWhileSavesBuildOnEachOther(t *testing.T) {
	generations := 40
	if testing.Short() {
		generations = 22
	}
	for _, keep := range []int{1, 3} {
		t.Run(fmt.Sprint("keep ", keep), func(t *testing.T) {
			t.Parallel()
			l := runLines(t, keep, generations, nil)
			for _, v := range l.violations {
				t.Error(v)
			}
			if l.kinds["self-contained"] < 2 || l.kinds["a base itself"] < 2 || l.kinds["small"] < 5 {
				t.Error(l.kinds)
			}
			t.Logf("%d power losses, %v", l.steps, l.kinds)
		})
	}
}

func TestPowerLossNeedsFolderSyncForBases(t *testing.T) {
	l := runLines(t, 3, 4, func(op string) bool { return op == "syncdir model" })
	if len(l.violations) == 0 {
		t.Error("no violation although the folder is never fsynced")
	}
}

// TestFailedFsyncAfterTheBaseWasReplaced: the save that replaces the base fails when it has got its name. The caller's
// base is not there any more.
func TestFailedFsyncAfterTheBaseWasReplaced(t *testing.T) {
	faulty := &opFS{under: newMem()}
	s := &Store{FS: faulty, Dir: testDir}
	x := newTables(60)
	x.mustSave(t, s, 7)
	x.next()
	faulty.before = func(op string) error {
		if kind(op) == "syncdir" {
			return fmt.Errorf("input/output error")
		}
		return nil
	}
	if saved, err := x.save(s, 7); err == nil {
		t.Fatal(saved)
	}
	faulty.before = nil
	for seq := range uint64(3) {
		x.next()
		x.mustSave(t, s, 8+seq)
		f, aside, err := (&Store{FS: s.FS, Dir: s.Dir}).Newest()
		if err != nil || len(aside) > 0 {
			t.Fatalf("%v, %v", aside, err)
		}
		if err := x.same(f); err != nil {
			t.Error(err)
		}
	}
}

// TestInstallReplacesTheBase: likewise a file of another folder gets the name of the caller's base, whether or not the
// disk fails then. Only what is read of the folder behind that is a base again, if the folder was fsynced.
func TestInstallReplacesTheBase(t *testing.T) {
	for _, c := range []struct {
		name, failing string
		readAgain     bool
		builds        bool
	}{
		{"installed", "", false, false},
		{"read again", "", true, true},
		{"not listed", "list", false, false},
		{"not fsynced", "syncdir", false, false},
		{"not fsynced, read again", "syncdir", true, false},
	} {
		t.Run(c.name, func(t *testing.T) { testInstall(t, c.failing, c.readAgain, c.builds) })
	}
}

func testInstall(t *testing.T, failing string, readAgain, builds bool) {
	mem := newMem()
	x, other := newTables(60), newTables(60)
	elsewhere := &Store{FS: mem, Dir: testDir + "-other"}
	other.next()
	other.mustSave(t, elsewhere, 7)
	file := readBytes(t, elsewhere, 7)
	faulty := &opFS{under: mem}
	s := &Store{FS: faulty, Dir: testDir}
	x.mustSave(t, s, 7)
	if err := s.Install(7, [][]byte{file}); err != nil {
		t.Fatal(err)
	}
	if failing != "" { // of the file that builds on it
		faulty.before = func(op string) error {
			if kind(op) == failing {
				return fmt.Errorf("input/output error")
			}
			return nil
		}
		if err := s.Install(8, [][]byte{file}); err == nil {
			t.Fatal("installed")
		}
		faulty.before = nil
	}
	if readAgain {
		f, _, err := s.Newest()
		if err != nil {
			t.Fatal(err)
		}
		x = other
		x.base = f.Base
	}
	x.next()
	x.mustSave(t, s, 9)
	f, aside, err := (&Store{FS: s.FS, Dir: s.Dir}).Newest()
	if err != nil || len(aside) > 0 || (len(f.BuildsOn) > 0) != builds {
		t.Fatalf("%v, %v, builds on %v", aside, err, f)
	}
	if err := x.same(f); err != nil {
		t.Error(err)
	}
}

// readBytes reads the file of a checkpoint.
func readBytes(t *testing.T, s *Store, seq uint64) []byte {
	t.Helper()
	h, err := s.OpenFile(seq)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	file, err := io.ReadAll(h)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
