package checkpoint

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
)

// TestKeptCheckpoint: it stays, with what it builds on, until another one is kept, or none.
func TestKeptCheckpoint(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	x := newTables(400)
	save := func(seqs ...uint64) {
		for _, seq := range seqs {
			x.next()
			x.mustSave(t, s, seq)
		}
	}
	save(1, 2, 3)
	s.Kept = 3
	was := x.clone()
	for seq := uint64(4); seq < 300; seq++ {
		save(seq)
	}
	kept, err := Open(s.FS, s.path(fileName(3)))
	if err != nil {
		t.Fatal("the kept checkpoint: ", err)
	}
	if err := was.same(kept); err != nil {
		t.Fatal(err)
	}
	chain, err := s.KeptChain()
	if err != nil || len(chain) != 1+len(kept.BuildsOn) || chain[len(chain)-1] != (Link{3, kept.sum}) {
		t.Fatalf("its chain is %v, %v, want that of %+v", chain, err, kept.BuildsOn)
	}
	if len(kept.BuildsOn) == 0 {
		t.Fatal("it builds on none: the test shows too little")
	}
	next := &Store{FS: s.FS, Dir: s.Dir, Kept: 299} // another process
	s = next
	save(300, 301)
	names, err := s.fs().List(testDir)
	if err != nil || slices.Contains(names, fileName(3)) || !slices.Contains(names, fileName(299)) {
		t.Fatalf("%v, %v: want 299 in place of 3", names, err)
	}
	s.Kept = 77
	if chain, err := s.KeptChain(); chain != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, %v: there is none", chain, err)
	}
	put(t, s.FS.(memFS), filepath.Join(testDir, fileName(77)), []byte("x"))
	if chain, err := s.KeptChain(); err == nil {
		t.Errorf("%v of a file that was cut off", chain)
	}
}

// TestKeptIsReadOnce: each save asks for the chain of the kept checkpoint, and that may be large.
func TestKeptIsReadOnce(t *testing.T) {
	fs := &opFS{under: newMem()}
	s, x := &Store{FS: fs, Dir: testDir, Kept: 1}, newTables(400)
	x.next()
	x.mustSave(t, s, 1)
	last := func() Link {
		t.Helper()
		chain, err := s.KeptChain()
		if err != nil {
			t.Fatal(err)
		}
		return chain[len(chain)-1]
	}
	first := last()
	read := len(fs.log)
	if again := last(); again != first || len(fs.log) != read {
		t.Errorf("%v, then %v: %v", first, again, fs.log[read:])
	}
	x.next()
	x.mustSave(t, s, 1)
	if now := last(); now == first || now != (Link{1, s.last.sum}) {
		t.Errorf("of a file that was replaced: %v, was %v, want %v", now, first, s.last.sum)
	}
}
