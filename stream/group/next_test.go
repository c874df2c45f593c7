package group

import (
	"context"
	"slices"
	"strings"
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
		assigned, number, err := b.assigned(t.Context(), 0)
		if err != nil || number != 1 {
			t.Fatal(number, err)
		}
		for joins := 2; joins <= 3; joins++ {
			s.beat = func() error { s.beat = nil; return ErrRejoin }
			wait(time.Second)
			if over := assigned.Err() != nil; len(s.joins) != joins || over != (joins == 3) {
				t.Errorf("%d joins: over %v", len(s.joins), over)
			}
		}
		s.beat = func() error { s.beat = nil; return ErrRejoin }
		assigned, number, err = b.assigned(t.Context(), 0)
		if err != nil || number != 4 || assigned.Err() != nil {
			t.Error(number, err)
		}
		b.stop()
		if assigned.Err() == nil {
			t.Error("it has left, and is to take over")
		}
	})
}

// rejoin lets time pass, and tells what the member joined with last.
func (b *bed) rejoin(d time.Duration) (joins int, told []TaskInfo) {
	wait(d)
	return len(b.joins), b.joins[len(b.joins)-1].Held
}

// A member that is given a task has the time of a session to be live with it, whether it loads or follows. Then it
// tells that it is not.
func TestOwnerNotLive(t *testing.T) {
	for name, state := range map[string][]time.Duration{"loads": nil, "cannot fence": {time.Hour}} {
		synctest.Test(t, func(t *testing.T) {
			s := &script{}
			b := run(t, s)
			b.set(state...)
			if joins, _ := b.rejoin(session - time.Second); joins != 1 {
				t.Errorf("%s: it joins again while it has time", name)
			}
			if joins, told := b.rejoin(2 * time.Second); joins != 2 || !told[0].Cold || told[0].Owner != 1 {
				t.Errorf("%s: %d joins, told %+v", name, joins, told)
			}
			b.set(0)
			if joins, told := b.rejoin(time.Second); joins != 3 || told[0].Cold || told[0].Owner != 2 {
				t.Errorf("%s: live: %d joins, told %+v", name, joins, told)
			}
			b.stop()
		})
	}
}

// A member that was taking a task over when it joined last joins again when it is live. That it has begun is no reason
// to.
func TestTellsThatItIsLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		b := run(t, s)
		b.set(time.Second)
		if joins, _ := b.rejoin(2 * time.Second); joins != 1 {
			t.Errorf("%d joins when it has begun", joins)
		}
		s.beat = func() error { s.beat = nil; return ErrRejoin }
		if joins, told := b.rejoin(2 * time.Second); joins != 2 || !told[0].Starting {
			t.Errorf("%d joins, told %+v", joins, told)
		}
		b.set(0)
		if joins, told := b.rejoin(2 * time.Second); joins != 3 || told[0].Starting {
			t.Errorf("live: %d joins, told %+v", joins, told)
		}
		b.stop()
	})
}

// A member from which the group has moved a task has nothing to tell when the new owner fences it.
func TestFencedByTheOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		s.join = func(m *Metadata) (a Assignment, err error) {
			if a.Nonce = m.Nonce; len(s.joins) == 1 {
				a.Active = []int32{0}
			} else {
				a.Follow = []int32{0}
			}
			return a, nil
		}
		b := run(t, s)
		_, number, err := b.assigned(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		b.set(0)
		s.beat = func() error { s.beat = nil; return ErrRejoin }
		before, _ := b.rejoin(2 * time.Second) // moved
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _, _ = b.assigned(t.Context(), number)
		}()
		if joins, _ := b.rejoin(2 * time.Second); before != 2 || joins != before {
			t.Errorf("%d joins, and %d when it is fenced", before, joins)
		}
		b.stop()
		<-ended
	})
}

// An Assigned whose context has ended takes nothing from the one that follows it.
func TestAssignedBeside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		s.join = func(m *Metadata) (a Assignment, err error) {
			if a.Nonce = m.Nonce; len(s.joins) == 1 {
				a.Active = []int32{0}
			}
			return a, nil
		}
		b := run(t, s)
		assigned, number, err := b.assigned(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		over, end := context.WithCancel(t.Context())
		end()
		if b.give(over, 0, number).Assigned.Err() == nil {
			t.Error("the context has ended")
		}
		s.beat = func() error { s.beat = nil; return ErrRejoin }
		b.rejoin(2 * time.Second)
		if assigned.Err() == nil {
			t.Error("it is not revoked")
		}
		b.stop()
	})
}

// A member that loses a task before it is live gets more time the next times.
func TestMoreTimeToLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, given := &script{}, false
		s.join = func(m *Metadata) (a Assignment, err error) {
			if a.Nonce = m.Nonce; len(m.Held) == 0 || m.Held[0].Owner == 0 || !m.Held[0].Cold {
				a.Active = []int32{0}
			}
			given = len(a.Active) > 0
			return a, nil
		}
		s.beat = func() error {
			if !given {
				return ErrRejoin
			}
			return nil
		}
		b := run(t, s)
		b.set()
		wait(time.Hour)
		var times []time.Duration
		for i, at := range s.joined {
			if h := s.joins[i].Held; len(h) > 0 && h[0].Owner > 0 {
				times = append(times, at.Sub(s.joined[i-1]).Round(time.Second))
			}
		}
		t.Log(times)
		if n := len(times); n < 10 || times[1] != session || times[2] != 2*session || times[n-1] != 16*session {
			t.Error(times)
		}
		b.stop()
	})
}

// A member at which a task has stopped tells that at once and for good, whatever a leader that does not know of stops
// assigns: such a leader takes it for one that has not loaded the task.
func TestTellsThatItHasStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{join: func(m *Metadata) (Assignment, error) {
			return Assignment{Nonce: m.Nonce, Active: []int32{0, 1}, Follow: []int32{2}}, nil
		}}
		b := run(t, s)
		b.follow(0, 1, 2)
		wait(2 * time.Second)
		b.mu.Lock()
		b.state = State{Tasks: 3, Held: []Held{{Task: 0, Live: true}, {Task: 1, Stopped: "input-gone"}, {Task: 2}}}
		b.mu.Unlock()
		before := len(s.joins)
		b.Tell()
		if joins, _ := b.rejoin(0); joins != before+1 {
			t.Errorf("%d joins after %d", joins, before)
		}
		joins, told := b.rejoin(session / 2)
		want := TaskInfo{Task: 1, Stopped: "input-gone"}
		if joins != before+1 || told[1] != want {
			t.Errorf("%d joins after %d, told %+v", joins, before, told)
		}
		s.join = func(m *Metadata) (Assignment, error) { return Assignment{Nonce: m.Nonce, Active: []int32{0}}, nil }
		for range 2 {
			s.beat = func() error { s.beat = nil; return ErrRejoin }
			if _, told = b.rejoin(time.Second); len(told) < 2 || told[1] != want {
				t.Errorf("assigned without it: told %+v", told)
			}
		}
		b.stop()
	})
}

// TestTellsThatItDiffers: a member that is given a task whose settings are others than its own tells so, and not that
// it has it; and when they have become its own.
func TestTellsThatItDiffers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{join: func(m *Metadata) (Assignment, error) {
			return Assignment{Nonce: m.Nonce, Active: []int32{0}, Follow: []int32{1}}, nil
		}}
		b := run(t, s)
		set := func(differs bool) []TaskInfo {
			b.mu.Lock()
			b.state = State{Tasks: 2, Held: []Held{{Task: 0, Differs: differs},
				{Task: 1, Differs: differs, Behind: time.Hour}}}
			b.mu.Unlock()
			_, told := b.rejoin(2 * session / 10)
			return told
		}
		wait(time.Second)
		want := []TaskInfo{{Task: 0, Differs: true}, {Task: 1, Differs: true}}
		if told := set(true); !slices.Equal(told, want) {
			t.Errorf("told %+v", told)
		}
		if told := set(false); len(told) != 2 || told[0].Differs || told[0].Owner == 0 || !told[1].Cold {
			t.Errorf("told %+v", told)
		}
		b.stop()
	})
}

// Takeovers that last longer than a session, and are lost at once, are contested as well.
func TestSlowContest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := run(t, &script{})
		number := int32(0)
		for range 3 {
			var err error
			if _, number, err = b.assigned(t.Context(), number); err != nil {
				t.Fatal(err)
			}
			b.set(time.Second)
			wait(2 * session)
			b.set(0)
			wait(session / 2)
		}
		if !strings.Contains(b.log.String(), "fence-contested") {
			t.Error("it is not")
		}
		b.stop()
	})
}
