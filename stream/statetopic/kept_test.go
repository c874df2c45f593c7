package statetopic

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"rosenblatt/checkpoint"
)

// keep makes the newest checkpoint of a folder the one that it keeps.
func (f *fakeFolder) keep() *fakeFolder {
	f.kept = slices.Clone(f.chain)
	return f.clone()
}

// restoredKept restores the newest checkpoint, and beside it the kept one; nil without one.
func restoredKept(t *testing.T, l *fakeLog) (kept *Manifest, files map[uint64][]byte) {
	t.Helper()
	c := NewCopy(l, output)
	if err := c.ReadNow(t.Context()); err != nil {
		t.Fatal(err)
	}
	whole, faults := c.Whole()
	if len(whole) == 0 || len(faults) > 0 {
		t.Fatalf("%d whole, %v", len(whole), faults)
	}
	got := &fakeFolder{files: map[uint64][]byte{}}
	if err := c.Restore(whole[0], got); err != nil {
		t.Fatal(err)
	}
	newest := maps.Clone(got.files)
	if err := c.RestoreKept(whole[0], got); err != nil {
		t.Fatal(err)
	}
	for seq, data := range newest {
		if !slices.Equal(data, got.files[seq]) {
			t.Errorf("restoring the kept checkpoint changed file %d of the newest", seq)
		}
	}
	return c.Kept(), got.files
}

func wantKept(t *testing.T, l *fakeLog, want *fakeFolder) {
	t.Helper()
	m, files := restoredKept(t, l)
	if m == nil {
		t.Fatal("none is kept")
	}
	for _, link := range want.chain {
		if !slices.Equal(files[link.Seq], want.files[link.Seq]) {
			t.Fatalf("file %d of %v is another one; kept is %+v", link.Seq, want.chain, m)
		}
	}
}

// TestKept: the kept checkpoint outlives saves, compaction, other writers and deleted records, until another one is
// kept, or none. Where another folder had it, the topic's stays.
func TestKept(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 9))
			l, f, seq := &fakeLog{left: -1}, &fakeFolder{}, uint64(0)
			w := openWriter(t, l)
			save := func(n int) {
				t.Helper()
				for range n {
					seq++
					f.save(r, seq)
					_, err := w.Save(t.Context(), f, Progress{Epoch: 1})
					if err == nil {
						err = w.Keep(t.Context(), f, 1)
					}
					if err != nil {
						t.Fatal(err)
					}
					l.compact(l.next)
				}
			}
			save(2)
			for range 3 {
				want := f.keep()
				save(5)
				wantKept(t, l, want)
				sent := l.next
				if err := w.Keep(t.Context(), f, 1); err != nil || l.next != sent {
					t.Errorf("%v: %d records for what is there", err, l.next-sent)
				}
				w = openWriter(t, l)
				save(5)
				wantKept(t, l, want)
				l.records = l.records[len(l.records)-1:]
				w.Begins(l.records[0].Offset)
				save(1)
				wantKept(t, l, want)
				f.noKept = fs.ErrNotExist
				save(2)
				wantKept(t, l, want)
				f.noKept = nil
			}
			f.kept = nil
			save(1)
			if m, _ := restoredKept(t, l); m != nil {
				t.Errorf("%+v is kept", m)
			}
			for _, rec := range l.records {
				if _, piece := parseKeptPieceKey(rec.Key, output); piece && rec.Value != nil {
					t.Errorf("%s is left", rec.Key)
				}
			}
		})
	}
}

// TestKeptPieces: a kept checkpoint leaves nothing of a larger one before it, also of one by another process, or where
// a save broke off.
func TestKeptPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for left := range 12 {
		l, f := &fakeLog{left: -1}, &fakeFolder{}
		w := openWriter(t, l)
		for seq, pieces := range []int{6, 2, 9, 3, 0, 1} {
			f.chain = nil
			f.save(r, uint64(seq+1))
			f.size(pieces * PieceSize)
			if f.keep(); pieces == 0 {
				f.kept = nil
			}
			if _, err := w.Save(t.Context(), f, Progress{Epoch: 1}); err != nil {
				t.Fatal(err)
			}
			if l.left = left; left%2 == 0 {
				l.left = -1
			}
			if err := w.Keep(t.Context(), f, 1); err != nil {
				l.left = -1
				if left%3 == 0 {
					w = openWriter(t, l)
				}
				if _, err := w.Save(t.Context(), f, Progress{Epoch: 1}); err != nil {
					t.Fatal(err)
				}
				if err := w.Keep(t.Context(), f, 1); err != nil {
					t.Fatal(err)
				}
			}
			l.left = -1
			c := NewCopy(l, output)
			if err := c.ReadNow(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := len(c.keptPieces); n != pieces || pieces > 0 && c.Kept() == nil {
				t.Errorf("torn after %d: %d pieces of one of %d are there, kept: %v", left, n, pieces, c.Kept())
			}
		}
	}
}

// TestTornKeep: wherever it breaks off, the newest checkpoint is whole, no damaged one counts as kept, and the next
// save makes it good.
func TestTornKeep(t *testing.T) {
	for left := range 8 {
		for _, stored := range []bool{false, true} {
			t.Run(fmt.Sprint(left, stored), func(t *testing.T) {
				r := rand.New(rand.NewPCG(2, 1))
				l, f := &fakeLog{left: -1}, &fakeFolder{}
				w := openWriter(t, l)
				for seq := range uint64(2) {
					f.save(r, seq+1)
					was := f.keep()
					if _, err := w.Save(t.Context(), f, Progress{Epoch: 1}); err != nil {
						t.Fatal(err)
					}
					if seq == 1 {
						l.left, l.stored = left, stored
					}
					err := w.Keep(t.Context(), f, 1)
					l.left = -1
					l.compact(l.next)
					wantRestored(t, l, was)
					if m, _ := restoredKept(t, l); seq == 1 && m != nil && err != nil && m.Seq == 2 && !stored {
						t.Fatalf("%+v is kept, and was not acknowledged", m)
					}
				}
				was := f.clone()
				w = openWriter(t, l)
				if _, err := w.Save(t.Context(), f, Progress{Epoch: 1}); err != nil {
					t.Fatal(err)
				}
				if err := w.Keep(t.Context(), f, 1); err != nil {
					t.Fatal(err)
				}
				wantKept(t, l, was)
			})
		}
	}
}

// TestKeptOfSameSeq: one of the newest's files that bears the seq of a kept one stays.
func TestKeptOfSameSeq(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	l, f := &fakeLog{left: -1}, &fakeFolder{}
	w := openWriter(t, l)
	f.save(r, 1)
	f.keep()
	for range 2 {
		if _, err := w.Save(t.Context(), f, Progress{Epoch: 1}); err != nil {
			t.Fatal(err)
		}
		if err := w.Keep(t.Context(), f, 1); err != nil {
			t.Fatal(err)
		}
		f.chain = nil
		f.save(r, 1) // a later epoch
		f.kept = []checkpoint.Link{{Seq: 1, Sum: 7}}
		f.noKept = fs.ErrNotExist
	}
	restoredKept(t, l)
	f.noKept = errors.New("the disk fails")
	if err := w.Keep(t.Context(), f, 1); err == nil {
		t.Error("it fails without an error")
	}
}
