package group

import (
	"testing"
	"testing/synctest"
	"time"
)

// A task is assigned until an assignment is without it, or the member has left.
func TestRevoked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		s.join = func(m *Metadata) (a Assignment, err error) {
			if a.Nonce = m.Nonce; len(s.joins) != 3 {
				a.Active = []int32{0}
			}
			return a, nil
		}
		b := run(t, s)
		assigned, round, err := b.Task(0).Assigned(t.Context(), 0)
		if err != nil || round != 1 {
			t.Fatal(round, err)
		}
		for joins := 2; joins <= 3; joins++ {
			s.beat = func() error { s.beat = nil; return ErrRejoin }
			wait(time.Second)
			if over := assigned.Err() != nil; len(s.joins) != joins || over != (joins == 3) {
				t.Errorf("%d joins: over %v", len(s.joins), over)
			}
		}
		s.beat = func() error { s.beat = nil; return ErrRejoin }
		assigned, round, err = b.Task(0).Assigned(t.Context(), 0)
		if err != nil || round != 4 || assigned.Err() != nil {
			t.Error(round, err)
		}
		b.stop()
		if assigned.Err() == nil {
			t.Error("it has left, and is to take over")
		}
	})
}
