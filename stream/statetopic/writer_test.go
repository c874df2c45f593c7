package statetopic

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestTornSaves: wherever saves break off, one after the other, and whatever compaction removes, the newest
// checkpoint whose manifest is there is restored, byte for byte.
func TestTornSaves(t *testing.T) {
	for seed := range uint64(100) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			l, f, seq := &fakeLog{left: -1}, &fakeFolder{}, uint64(0)
			var safe *fakeFolder // as of the newest acknowledged manifest
			for range 12 {
				w := openWriter(t, l) // another process
				for err := error(nil); err == nil && r.IntN(4) > 0; {
					seq++
					f.save(r, seq)
					l.left, l.stored = r.IntN(9)-1, r.IntN(2) == 0
					_, err = w.Save(t.Context(), f, Progress{Epoch: 1})
					l.left = -1
					if err != nil && !errors.Is(err, errTorn) {
						t.Fatal(err)
					}
					l.compact(r.Int64N(l.next + 1))
					if err == nil {
						safe = f.clone()
						wantRestored(t, l, safe)
					}
				}
				if safe != nil {
					wantRestored(t, l, safe, f)
				}
				if whole := wholeOf(t, l); len(whole) > 0 && whole[0].Seq == int64(seq) {
					safe = f.clone() // its manifest was not acknowledged
				}
			}
		})
	}
}

// TestEveryTornSave breaks a save off at each of its batches, and again the one that follows.
func TestEveryTornSave(t *testing.T) {
	for left := range 12 {
		for _, stored := range []bool{false, true} {
			t.Run(fmt.Sprint(left, stored), func(t *testing.T) {
				r := rand.New(rand.NewPCG(1, 1))
				l, f := &fakeLog{left: -1}, &fakeFolder{}
				w := openWriter(t, l)
				for seq := range uint64(5) {
					f.save(r, seq+1)
					if _, err := w.Save(t.Context(), f, Progress{Epoch: 1}); err != nil {
						t.Fatal(err)
					}
				}
				safe := f.clone()
				for again := range uint64(2) {
					f.save(r, 6+again)
					l.left, l.stored = left, stored
					_, err := openWriter(t, l).Save(t.Context(), f, Progress{Epoch: 1})
					l.left = -1
					l.compact(l.next)
					if err == nil {
						safe = f.clone()
					}
					wantRestored(t, l, safe, f)
					if whole := wholeOf(t, l); whole[0].Seq == int64(6+again) {
						safe = f.clone()
					}
				}
			})
		}
	}
}

func wholeOf(t *testing.T, l *fakeLog) []*Manifest {
	t.Helper()
	c := NewCopy(l, output)
	if err := c.ReadNow(t.Context()); err != nil {
		t.Fatal(err)
	}
	whole, _ := c.Whole()
	return whole
}

// TestOnlyWhatChanged: files that the topic holds are not sent again, also by the next process.
func TestOnlyWhatChanged(t *testing.T) {
	l := &fakeLog{left: -1}
	f := &fakeFolder{files: map[uint64][]byte{1: make([]byte, 3*PieceSize)}}
	f.Install(1, [][]byte{f.files[1]})
	w := openWriter(t, l)
	if s, err := w.Save(t.Context(), f, Progress{}); err != nil || s != (Saved{1, 3 * PieceSize, 3 * PieceSize}) {
		t.Fatal(s, err)
	}
	f.Install(2, [][]byte{make([]byte, 10)})
	if s, err := w.Save(t.Context(), f, Progress{}); err != nil || s != (Saved{2, 3*PieceSize + 10, 10}) {
		t.Fatal(s, err)
	}
	f.chain = f.chain[:1]
	f.Install(3, [][]byte{make([]byte, 20)})
	s, err := openWriter(t, l).Save(t.Context(), f, Progress{})
	if err != nil || s != (Saved{3, 3*PieceSize + 20, 20}) {
		t.Fatal(s, err)
	}
	wantRestored(t, l, f)
}

// TestLargerThanTheTopicTakes: the error says what to change, and the checkpoint before stays.
func TestLargerThanTheTopicTakes(t *testing.T) {
	l, f := &fakeLog{left: -1}, &fakeFolder{files: map[uint64][]byte{}}
	for seq := range uint64(20) {
		f.Install(seq+1, [][]byte{make([]byte, 10)})
	}
	c := NewCopy(l, output)
	if err := c.ReadNow(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := c.NewWriter("events", 0, 1000, l.next).Save(t.Context(), f, Progress{Epoch: 1})
	if err == nil || !strings.Contains(err.Error(), "max.message.bytes of the checkpoint topic") {
		t.Fatal(err)
	}
}

// TestDeletedPieces: records are deleted, as with cleanup.policy=delete, while the writer lives or before it goes on
// from what another one has read. The next save writes all that its manifest names.
func TestDeletedPieces(t *testing.T) {
	for _, successor := range []bool{false, true} {
		r := rand.New(rand.NewPCG(3, 1))
		l, f := &fakeLog{left: -1}, &fakeFolder{}
		w := openWriter(t, l)
		for seq := range uint64(4) {
			f.save(r, seq+1)
			if _, err := w.Save(t.Context(), f, Progress{Epoch: 1}); err != nil {
				t.Fatal(err)
			}
		}
		if successor {
			w = openWriter(t, l)
		}
		l.records = l.records[len(l.records)-1:] // the newest manifest
		w.Begins(l.records[0].Offset)
		if _, err := w.Save(t.Context(), f, Progress{Epoch: 1}); err != nil {
			t.Fatal(err)
		}
		wantRestored(t, l, f)
		if saved, err := w.Save(t.Context(), f, Progress{Epoch: 1}); err != nil || saved.Sent != 0 {
			t.Errorf("%+v, %v: nothing has changed", saved, err)
		}
	}
}
