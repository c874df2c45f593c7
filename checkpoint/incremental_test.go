package checkpoint

import (
	"bytes"
	"fmt"
	"testing"
)

// TestSavesBuildOnEachOther saves many generations and starts again now and then: every one is found as it was saved,
// a save that changes little is small, and all kinds of files occur.
func TestSavesBuildOnEachOther(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	x := newTables(400)
	kinds := map[string]int{}
	for seq := range uint64(300) {
		x.next()
		before := x.base
		saved := x.mustSave(t, s, seq)
		switch {
		case !saved.Base.Is(before) && saved.Base.above == 0:
			kinds["self-contained"]++
		case !saved.Base.Is(before):
			kinds["a base itself"]++
		default:
			kinds["small"]++
		}
		if saved.Base.Is(before) && saved.Bytes > 70_000 {
			t.Errorf("%d: %d bytes", seq, saved.Bytes)
		}
		f, aside, err := (&Store{FS: s.FS, Dir: s.Dir}).Newest()
		if err != nil || len(aside) > 0 || f.Seq != seq {
			t.Fatalf("%d: %v, %v, %v", seq, f, aside, err)
		}
		if err := x.same(f); err != nil {
			t.Fatal(err)
		}
		if seq%10 == 9 {
			if err := x.load(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	if kinds["self-contained"] < 10 || kinds["a base itself"] < 10 || kinds["small"] < 100 {
		t.Errorf("%v", kinds)
	}
	t.Log(kinds)
}

// TestOldBaseIsNotUsedForEver: a model that hardly changes is saved as a whole now and then.
func TestOldBaseIsNotUsedForEver(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	x := newTables(400)
	whole := 0
	for seq := range uint64(3 * maxSaves) {
		if saved := x.mustSave(t, s, seq); saved.Base.Seq() == seq {
			whole++
		}
	}
	if whole != 3 {
		t.Errorf("saved as a whole %d times, want 3", whole)
	}
}

// TestPruningKeepsBases: what a kept file builds on is kept, and one that shares nothing with the newest.
func TestPruningKeepsBases(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	x := newTables(400)
	for seq := range uint64(200) {
		x.next()
		x.mustSave(t, s, seq)
		paths, err := s.Files()
		if err != nil {
			t.Fatal(err)
		}
		bottoms := map[string]bool{}
		for _, path := range paths {
			f, err := Open(s.FS, path)
			if err != nil {
				t.Fatalf("after %d: %v", seq, err)
			}
			bottoms[append(f.BuildsOn, path)[max(0, len(f.BuildsOn)-1)]] = true
		}
		if seq > 20 && len(bottoms) < 2 || len(paths) > 20 {
			t.Fatalf("after %d the folder holds %v", seq, paths)
		}
	}
}

// TestFolderCopiedWhileSaving: what the newest file needs is still there, unchanged, after two more saves, so a copy of
// the folder that takes less than three is sound.
func TestFolderCopiedWhileSaving(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	x := newTables(100)
	began := make([]map[string][]byte, 3) // what the copies hold that begin now, one and two saves ago
	for seq := range uint64(100) {
		x.next()
		x.mustSave(t, s, seq)
		f, err := Open(s.FS, fmt.Sprint(testDir, "/checkpoint-", seq))
		if err != nil {
			t.Fatal(err)
		}
		needs := map[string][]byte{}
		for _, path := range append(f.BuildsOn, f.Path) {
			needs[path] = get(t, s.FS, path)
		}
		began[seq%3] = needs
		for _, needs := range began {
			for path, data := range needs {
				if !bytes.Equal(get(t, s.FS, path), data) {
					t.Errorf("after %d: %s is another file", seq, path)
				}
			}
		}
	}
}

// TestBaseRemovedBySomebody: once it is seen that the base is gone, the next save is self-contained.
func TestBaseRemovedBySomebody(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	x := newTables(100)
	for seq := range uint64(2) {
		x.next()
		x.mustSave(t, s, seq)
	}
	if err := s.FS.Remove(testDir + "/checkpoint-0"); err != nil {
		t.Fatal(err)
	}
	x.next()
	x.mustSave(t, s, 2)
	x.next()
	x.mustSave(t, s, 3)
	f, _, err := (&Store{FS: s.FS, Dir: s.Dir}).Newest()
	if err != nil || f.Seq != 3 || len(f.BuildsOn) > 0 {
		t.Fatalf("%+v, %v", f, err)
	}
	if err := x.same(f); err != nil {
		t.Error(err)
	}
}

// TestSaveOfTheBasesSeq: a file cannot build on the one that it replaces.
func TestSaveOfTheBasesSeq(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	x := newTables(100)
	for range 3 {
		x.next()
		x.mustSave(t, s, 7)
		f, err := Open(s.FS, testDir+"/checkpoint-7")
		if err != nil || len(f.BuildsOn) > 0 {
			t.Fatalf("%+v, %v", f, err)
		}
		if err := x.same(f); err != nil {
			t.Error(err)
		}
	}
}

// TestExport: a file that builds on others becomes one that does not, anywhere.
func TestExport(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	x := newTables(100)
	for seq := range uint64(5) {
		x.next()
		x.mustSave(t, s, seq)
	}
	f, _, err := s.Newest()
	if err != nil || len(f.BuildsOn) == 0 {
		t.Fatalf("%+v, %v", f, err)
	}
	n, err := f.Export(s.FS, "/state/backup")
	if err != nil {
		t.Fatal(err)
	}
	alone := newMem()
	put(t, alone, "/elsewhere/model", get(t, s.FS, "/state/backup"))
	e, err := Open(alone, "/elsewhere/model")
	if err != nil || e.Bytes != n || len(e.BuildsOn) > 0 {
		t.Fatalf("%+v, %v", e, err)
	}
	if err := x.same(e); err != nil {
		t.Error(err)
	}
}
