package statetopic

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// twoSaves saves two checkpoints that share nothing.
func twoSaves(t *testing.T) (l *fakeLog, first, second *fakeFolder) {
	t.Helper()
	r := rand.New(rand.NewPCG(2, 2))
	l = &fakeLog{left: -1}
	w := openWriter(t, l)
	var folders [2]*fakeFolder
	for i := range folders {
		folders[i] = &fakeFolder{}
		folders[i].save(r, uint64(i+1))
		if _, err := w.Save(t.Context(), folders[i], Progress{Epoch: 1}); err != nil {
			t.Fatal(err)
		}
	}
	return l, folders[0], folders[1]
}

// TestDamage: where a piece or the manifest of the newest checkpoint is damaged, another one, or deleted, the one
// before is restored.
func TestDamage(t *testing.T) {
	for name, damage := range map[string]func(l *fakeLog){
		"a byte of a piece": func(l *fakeLog) { l.put(pieceKey{0, 1}.of(output), []byte("other")) },
		"a tombstone":       func(l *fakeLog) { l.put(pieceKey{0, 1}.of(output), nil) },
		"a damaged manifest": func(l *fakeLog) {
			l.put(manifestKey(output, 0), []byte("rosenblatt manifest 4 00000000\n{}"))
		},
		"no manifest":            func(l *fakeLog) { l.put(manifestKey(output, 0), []byte("{}")) },
		"a manifest's tombstone": func(l *fakeLog) { l.put(manifestKey(output, 0), nil) },
	} {
		t.Run(name, func(t *testing.T) {
			l, first, second := twoSaves(t)
			wantRestored(t, l, second)
			damage(l)
			l.compact(l.next)
			if whole := wholeOf(t, l); len(whole) != 1 || whole[0].Seq != int64(first.chain[0].Seq) {
				t.Fatalf("whole are %+v, want the first one", whole)
			}
			second.save(rand.New(rand.NewPCG(3, 3)), 3)
			if _, err := openWriter(t, l).Save(t.Context(), second, Progress{Epoch: 1}); err != nil {
				t.Fatal(err)
			}
			wantRestored(t, l, second)
		})
	}
}

// TestAllDamaged: nothing is restored, and the faults say what is wrong.
func TestAllDamaged(t *testing.T) {
	l, _, _ := twoSaves(t)
	l.put(pieceKey{0, 0}.of(output), []byte("x"))
	l.put(pieceKey{0, 1}.of(output), []byte("x"))
	c := NewCopy(l, output)
	if err := c.ReadNow(t.Context()); err != nil {
		t.Fatal(err)
	}
	whole, faults := c.Whole()
	if len(whole) != 0 || len(faults) != 2 ||
		!strings.Contains(errors.Join(faults...).Error(), "piece/0/1 is another one") {
		t.Fatal(whole, faults)
	}
}

// TestForeignKeys: other outputs, and keys that are none of ours, do not count.
func TestForeignKeys(t *testing.T) {
	l, _, second := twoSaves(t)
	for _, key := range []string{"", "events", "other/manifest/0", "other/piece/0/0", output + "/piece/00/1",
		output + "/piece/0/2", output + "/piece/-1/0", output + "/piece/0", output + "/manifest/2",
		output + "/piece/0/1/"} {
		l.put([]byte(key), []byte("x"))
	}
	l.put(nil, nil)
	wantRestored(t, l, second)
}

// TestOtherManifest: that of an earlier or later program is never taken for damage.
func TestOtherManifest(t *testing.T) {
	for _, version := range []int{Version - 1, Version + 1} {
		l, _, _ := twoSaves(t)
		l.put(manifestKey(output, 0), fmt.Appendf(nil, "rosenblatt manifest %d 00000000\nwhatever", version))
		c := NewCopy(l, output)
		if err := c.ReadNow(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, faults := c.Whole()
		_, _, begun := Begun(t.Context(), l, output)
		for _, err := range []error{Other(faults), begun} {
			other, ok := errors.AsType[*OtherVersion](err)
			if !ok || other.Version != version || other.Older() != (version < Version) {
				t.Error(err)
			}
		}
	}
}

// TestReadWhileSaving: a copy that is read in the middle of a save finds nothing wrong: what the save has replaced is
// of the manifest before the newest.
func TestReadWhileSaving(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	l, f := &fakeLog{left: -1}, &fakeFolder{}
	w := openWriter(t, l)
	for seq := range uint64(3) {
		f.chain = nil // everything anew
		f.save(r, seq+1)
		if l.left = -1; seq == 2 {
			l.left = 1
		}
		if _, err := w.Save(t.Context(), f, Progress{Epoch: 1}); (err != nil) != (seq == 2) {
			t.Fatal(err)
		}
	}
	c := NewCopy(l, output)
	if err := c.ReadNow(t.Context()); err != nil {
		t.Fatal(err)
	}
	if whole, faults := c.Whole(); len(whole) != 1 || whole[0].Seq != 2 || len(faults) != 0 {
		t.Errorf("%v, %v", whole, faults)
	}
}

// savingLog saves and compacts after the first Bounds.
type savingLog struct {
	*fakeLog
	save func()
}

func (l *savingLog) Bounds(ctx context.Context) (from, to int64, err error) {
	from, to, err = l.fakeLog.Bounds(ctx)
	if l.save != nil {
		l.save()
		l.save = nil
	}
	return from, to, err
}

// TestSavedWhileReading: of what a copy is about to read compaction leaves no manifest whole, or none at all, since a
// writer has saved more. It reads that, too.
func TestSavedWhileReading(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	l, f := &fakeLog{left: -1}, &fakeFolder{}
	w := openWriter(t, l)
	save := func() {
		f.chain = nil
		f.save(r, uint64(len(f.files)+1))
		if _, err := w.Save(t.Context(), f, Progress{Epoch: 1}); err != nil {
			t.Fatal(err)
		}
	}
	save()
	save()
	for saves := 1; saves <= 3; saves++ {
		c := NewCopy(&savingLog{l, func() {
			for range saves {
				save()
			}
			l.compact(l.next)
		}}, output)
		if err := c.ReadNow(t.Context()); err != nil {
			t.Fatal(err)
		}
		if whole, faults := c.Whole(); len(whole) == 0 || len(faults) != 0 {
			t.Errorf("%d saves: %v, %v", saves, whole, faults)
		}
	}
}
