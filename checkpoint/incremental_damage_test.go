package checkpoint

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestDamageReachesWhatBuildsOnIt damages each file of a folder in turn: it is set aside, with all that builds on it,
// and the newest one that does not is used as it was saved.
func TestDamageReachesWhatBuildsOnIt(t *testing.T) {
	fsys := newMem()
	s := &Store{FS: fsys, Dir: testDir}
	x := newTables(400)
	was := map[uint64]*tables{}
	for seq := range uint64(60) {
		x.next()
		x.mustSave(t, s, seq)
		was[seq] = x.clone()
	}
	paths, err := s.Files()
	if err != nil {
		t.Fatal(err)
	}
	content := map[string][]byte{}
	for _, path := range paths {
		content[path] = get(t, fsys, path)
	}
	fell := 0
	for _, damaged := range paths {
		for _, gone := range []bool{false, true} {
			copied := newMem()
			for path, data := range content {
				data = bytes.Clone(data)
				if path == damaged {
					data[len(data)*2/3] ^= 4
				}
				if path != damaged || !gone {
					put(t, copied, path, data)
				}
			}
			f, aside, err := (&Store{FS: copied, Dir: testDir}).Newest()
			if err != nil || f == nil {
				t.Fatalf("%s damaged: %v, %v", damaged, f, err)
			}
			if f.Path == damaged || slices.Contains(f.BuildsOn, damaged) {
				t.Errorf("%s is damaged, %s was read", damaged, f.Path)
			}
			if err := was[f.Seq].same(f); err != nil {
				t.Error(err)
			}
			for _, a := range aside {
				if a.From != damaged && !strings.Contains(a.Why.Reason, "it builds on checkpoint-") {
					t.Errorf("%s was set aside: %v", a.From, a.Why)
				}
			}
			fell = max(fell, len(aside))
		}
	}
	if fell < 3 {
		t.Errorf("at most %d files were set aside", fell)
	}
}

// TestEveryFlippedBitOfABase: no bit of a base changes unseen what builds on it.
func TestEveryFlippedBitOfABase(t *testing.T) {
	base, changes := goldenWhole.bytes(t), goldenChanges.bytes(t)
	for bit := range len(base) * 8 {
		flipped := bytes.Clone(base)
		flipped[bit/8] ^= 1 << (bit % 8)
		fsys := newMem()
		put(t, fsys, testDir+"/checkpoint-42", flipped)
		put(t, fsys, testDir+"/checkpoint-43", changes)
		f, err := Open(fsys, testDir+"/checkpoint-43")
		var invalid *Invalid
		if f != nil || !errors.As(err, &invalid) || invalid.Path != testDir+"/checkpoint-43" {
			t.Fatalf("bit %d: %v, %v", bit, f, err)
		}
	}
}

// TestAnotherBase: a file of the base's name that is valid, but not the base.
func TestAnotherBase(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	if _, err := s.Save(42, []byte(goldenWhole.header), []Section{Bytes("weights", make([]byte, 32)),
		Bytes("names", make([]byte, 17)), Bytes("kept", make([]byte, 5)), Bytes("empty", nil)}, Base{}); err != nil {
		t.Fatal(err)
	}
	put(t, s.FS.(memFS), testDir+"/checkpoint-43", goldenChanges.bytes(t))
	f, aside, err := s.Newest()
	if err != nil || f == nil || f.Seq != 42 || len(aside) != 1 || !strings.Contains(aside[0].Why.Reason, "ends with") {
		t.Fatalf("%v, %v, %v", f, aside, err)
	}
}

// TestRestoredBase: a base is replaced by a file of its name with the same content, as from a backup. What builds on
// the former is set aside.
func TestRestoredBase(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	x := newTables(100)
	var f *File
	for seq := uint64(0); f == nil || len(f.BuildsOn) < 2; seq++ {
		x.next()
		x.mustSave(t, s, seq)
		var err error
		if f, _, err = s.Newest(); err != nil {
			t.Fatal(err)
		}
	}
	base, err := Open(s.FS, f.BuildsOn[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := base.Export(s.FS, base.Path); err != nil {
		t.Fatal(err)
	}
	found, aside, err := s.Newest()
	if err != nil || found == nil || found.Path != base.Path || len(aside) == 0 ||
		!strings.Contains(aside[0].Why.Reason, "ends with") {
		t.Fatalf("the base is not used, but %d files are set aside; %v", len(aside), err)
	}
	if err := x.load(found); err != nil {
		t.Fatal(err)
	}
	x.next()
	x.mustSave(t, s, found.Seq+1)
	if found, aside, err = s.Newest(); err != nil || len(aside) > 0 {
		t.Fatalf("%v, %v", aside, err)
	}
	if err := x.same(found); err != nil {
		t.Error(err)
	}
}

// TestMissingBase: files are not renamed if all that is wrong is that the one they build on is missing. Once it is back
// the newest is used.
func TestMissingBase(t *testing.T) {
	fsys := newMem()
	put(t, fsys, testDir+"/checkpoint-43", goldenChanges.bytes(t))
	put(t, fsys, testDir+"/checkpoint-44", goldenChanges.bytes(t))
	s := &Store{FS: fsys, Dir: testDir}
	for range 2 {
		f, aside, err := s.Newest()
		var missing *MissingBase
		if f != nil || len(aside) > 0 || !errors.As(err, &missing) ||
			*missing != (MissingBase{testDir + "/checkpoint-42", 2}) {
			t.Fatalf("%v, %v, %v", f, aside, err)
		}
	}
	put(t, fsys, testDir+"/checkpoint-42", goldenWhole.bytes(t))
	if f, aside, err := s.Newest(); err != nil || len(aside) > 0 || f.Seq != 44 {
		t.Fatalf("%v, %v, %v", f, aside, err)
	}
}

// TestDamageBesideAMissingBase: with another fault, too, all are set aside.
func TestDamageBesideAMissingBase(t *testing.T) {
	fsys := newMem()
	put(t, fsys, testDir+"/checkpoint-43", goldenChanges.bytes(t))
	put(t, fsys, testDir+"/checkpoint-44", nil)
	_, aside, err := (&Store{FS: fsys, Dir: testDir}).Newest()
	if len(aside) != 2 || !errors.Is(err, ErrNoneValid) || strings.Contains(aside[1].Why.Error(), "byte 0") {
		t.Fatalf("%v, %v", aside, err)
	}
}

// TestFileThatBuildsOnALaterOne: files that build on each other in a circle are refused.
func TestFileThatBuildsOnALaterOne(t *testing.T) {
	fsys := newMem()
	put(t, fsys, testDir+"/checkpoint-42", goldenChanges.bytes(t))
	put(t, fsys, testDir+"/checkpoint-7", goldenChanges.bytes(t))
	for _, name := range []string{"checkpoint-42", "checkpoint-7"} {
		_, err := Open(fsys, testDir+"/"+name)
		var invalid *Invalid
		if !errors.As(err, &invalid) || !strings.Contains(invalid.Reason, "is not older") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestUnreadableBaseIsNotCorruption: a base that cannot be read, or is of another version, is a stop.
func TestUnreadableBaseIsNotCorruption(t *testing.T) {
	mem := newMem()
	put(t, mem, testDir+"/checkpoint-43", goldenChanges.bytes(t))
	put(t, mem, testDir+"/checkpoint-42", []byte(lineOf(magic+"11")))
	var other *OtherVersion
	f, aside, err := (&Store{FS: mem, Dir: testDir}).Newest()
	if f != nil || len(aside) > 0 || !errors.As(err, &other) {
		t.Errorf("a base of a later version: %v, %v, %v", f, aside, err)
	}
	put(t, mem, testDir+"/checkpoint-42", goldenWhole.bytes(t))
	opened := 0
	bad := &opFS{under: mem, before: func(op string) error {
		if op == "read checkpoint-42" {
			opened++
			return syscall.EIO
		}
		return nil
	}}
	s := &Store{FS: bad, Dir: testDir}
	if f, aside, err := s.Newest(); f != nil || len(aside) > 0 || !errors.Is(err, syscall.EIO) || opened == 0 {
		t.Errorf("a base that cannot be read: %v, %v, %v", f, aside, err)
	}
	wantNames(t, s, "checkpoint-42", "checkpoint-43")
}
