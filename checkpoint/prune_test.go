package checkpoint

import (
	"errors"
	"strings"
	"syscall"
	"testing"
)

// TestReadErrorRemovesNothing: a start does not know yet what the checkpoints build on. If its first save cannot read
// that, it removes none.
func TestReadErrorRemovesNothing(t *testing.T) {
	for n := uint64(5); n < 60; n++ {
		mem := newMem()
		s := &Store{FS: mem, Dir: testDir}
		x := newTables(400)
		for seq := range n {
			x.next()
			x.mustSave(t, s, seq+1)
		}
		faulty := &opFS{under: mem}
		s = &Store{FS: faulty, Dir: testDir}
		f, _, err := s.Newest()
		if err != nil {
			t.Fatal(err)
		}
		if err := x.load(f); err != nil {
			t.Fatal(err)
		}
		x.next()
		faulty.before = func(op string) error {
			if strings.HasPrefix(op, "open ") {
				return syscall.EMFILE
			}
			return nil
		}
		if _, err := x.save(s, n+1); err != nil && !errors.Is(err, ErrNotPruned) {
			t.Fatal(err)
		}
		f, aside, err := (&Store{FS: mem, Dir: testDir}).Newest()
		if err != nil || f.Seq != n+1 {
			t.Fatalf("after %d checkpoints: %v, set aside: %v", n, err, aside)
		}
	}
}
