package group

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// follower is a group in which another member has the task of this one until it loses it.
func follower(t *testing.T, has string) (*bed, *script, *string) {
	s := &script{}
	s.join = func(m *Metadata) (Assignment, error) {
		a := Assignment{Nonce: m.Nonce, Follow: []int32{0}}
		a.Predicts = Predicts{Owners: []Owner{{Instance: has, Since: 5}}, By: []byte{1}}
		if has == "a" {
			a.Active, a.Follow, a.Suspected = a.Follow, nil, []int32{0}
		}
		return a, nil
	}
	b := run(t, s)
	b.set(time.Millisecond)
	wait(2 * time.Second) // it joins again: it is warm
	return b, s, &has
}

// TestSuspectAlive: a member that suspects another one joins again, and tells which task it is about. The other one is
// alive: the next time it takes twice as long.
func TestSuspectAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s, _ := follower(t, "b")
		joins := len(s.joins)
		if d := b.Task(0).Suspect(299 * time.Millisecond); d != (Doubt{Of: "b", After: failover}) {
			t.Errorf("%+v", d)
		}
		for i, waited := range []time.Duration{failover, 2 * failover, 4 * failover} {
			if b.Task(0).Suspect(waited - 1).Asked {
				t.Errorf("it asks before %v", waited)
			}
			d := b.Task(0).Suspect(waited)
			again := b.Task(0).Suspect(waited)
			if d != (Doubt{true, "b", waited}) || again.Asked || !b.Task(0).View().Asked {
				t.Errorf("asked %+v, and again %+v", d, again)
			}
			wait(0)
			if len(s.joins) != joins+i+1 || !s.joins[joins+i].Held[0].Suspected || b.Task(0).View().Asked {
				t.Errorf("%d joins, told %+v", len(s.joins), s.joins[len(s.joins)-1].Held)
			}
			wait(2 * time.Second)
		}
		if n := len(s.joins); n != joins+3 || b.Task(0).View().Suspicions != (Suspicions{Alive: 3}) {
			t.Errorf("%d joins, %+v", n, b.Task(0).View().Suspicions)
		}
		b.stop()
	})
}

// TestSuspectReplaced: the other one is gone; its successor is not asked later for that.
func TestSuspectReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _, has := follower(t, "b")
		if !b.Task(0).Suspect(failover).Asked {
			t.Error("not asked")
		}
		*has = "a"
		g, err := b.Task(0).Assigned(t.Context(), 0)
		if err != nil || !g.Suspected || b.Task(0).View().Suspicions != (Suspicions{Replaced: 1}) {
			t.Errorf("%+v, %v, %+v", g, err, b.Task(0).View().Suspicions)
		}
		if v := b.Task(0).View(); v.Owner != "a" || !v.Own || g.First {
			t.Errorf("%+v, %+v", v, g)
		}
		if d := b.Task(0).Suspect(time.Hour); d.Asked || d.After != failover {
			t.Errorf("it suspects itself, or %+v", d)
		}
		b.stop()
	})
}

// TestSuspectSettled: for 600 ms behind an assignment nobody joins by suspicion.
func TestSuspectSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s, _ := follower(t, "b")
		wait(settleAfter)
		s.beat = func() error { s.beat = nil; return ErrRejoin }
		wait(2 * beatEvery)
		joins := len(s.joins)
		for asked := false; !asked; wait(time.Millisecond) {
			asked = b.Task(0).Suspect(time.Hour).Asked
		}
		wait(0)
		if len(s.joins) != joins+1 || s.joined[joins].Sub(s.joined[joins-1]) < settleAfter {
			t.Errorf("joins at %v", s.joined[joins-1:])
		}
		b.stop()
	})
}

// TestSuspectWhileJoining: the rebalance that is under way is an answer.
func TestSuspectWhileJoining(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s, _ := follower(t, "b")
		wait(settleAfter)
		join := s.join
		s.join = func(m *Metadata) (Assignment, error) {
			time.Sleep(500 * time.Millisecond)
			return join(m)
		}
		s.beat = func() error { s.beat = nil; return ErrRejoin }
		wait(2 * beatEvery)
		joins := len(s.joins)
		if !b.Task(0).Suspect(time.Hour).Asked {
			t.Error("not asked")
		}
		wait(500*time.Millisecond + settleAfter)
		if b.Task(0).View().Suspicions != (Suspicions{Alive: 1}) || len(s.joins) != joins {
			t.Errorf("%+v, %d joins more", b.Task(0).View().Suspicions, len(s.joins)-joins)
		}
		b.stop()
	})
}

// TestSuspectCold: who is cold in the eyes of the group asks for nothing: it would not be given the task.
func TestSuspectCold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s, _ := follower(t, "b")
		b.set(coldAfter)
		wait(2 * time.Second)
		if last := s.joins[len(s.joins)-1]; !last.Held[0].Cold {
			t.Fatalf("%+v", last)
		}
		b.set(time.Millisecond)
		if b.Task(0).Suspect(time.Hour).Asked {
			t.Error("asked before it has told that it is warm")
		}
		wait(2 * time.Second)
		if !b.Task(0).Suspect(time.Hour).Asked {
			t.Error("not asked")
		}
		b.stop()
	})
}

// TestCannotWrite: a member that lives and cannot write tells that it is cold.
func TestCannotWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		b := run(t, s)
		b.set(0)
		wait(session / 2)
		b.mu.Lock()
		b.state.Held[0].Behind = coldAfter
		b.mu.Unlock()
		wait(2 * time.Second)
		if last := s.joins[len(s.joins)-1]; !last.Held[0].Cold || last.Held[0].Owner == 0 {
			t.Errorf("told %+v", last.Held)
		}
		b.stop()
	})
}

// TestPredicts: everybody is told who has which task since when, and the successor of a suspected member that it is so.
func TestPredicts(t *testing.T) {
	t.Parallel()
	peers := []Peer{
		{"a", Metadata{Version: version, Generation: 4, Tasks: 3, Held: []TaskInfo{{Task: 0, Owner: 3, Since: 7}}}},
		{"b", Metadata{Version: version, Generation: 5, Tasks: 3, Standbys: 1, Held: []TaskInfo{
			{Task: 0, Suspected: true}, {Task: 1, Owner: 5, Since: 8}, {Task: 2, Owner: 5, Since: 9}}}},
		{"c", Metadata{Version: version, Generation: 5, Tasks: 3}},
	}
	all := Assign(peers)
	for i := range all {
		var got []Owner
		for task := range int32(3) {
			o, _ := all[i].Predicts.of(task)
			got = append(got, o)
		}
		if want := []Owner{{"b", 0}, {"b", 8}, {"b", 9}}; !slices.Equal(got, want) {
			t.Errorf("%s is told %+v", peers[i].Instance, got)
		}
	}
	if got := all[1].Suspected; !slices.Equal(got, []int32{0}) || all[0].Suspected != nil {
		t.Errorf("%v, %v", got, all[0].Suspected)
	}
	var none Predicts
	if _, ok := none.of(2); ok {
		t.Error("nobody is told of")
	}
	damaged := Predicts{By: []byte{3}}
	if _, ok := damaged.of(0); ok {
		t.Error("damaged")
	}
}

// TestManyOwners: with more owners than numbers, some are not told of.
func TestManyOwners(t *testing.T) {
	t.Parallel()
	var p plan
	for i := range 300 {
		held := []TaskInfo{{Task: int32(i), Since: int64(i)}}
		c := &candidate{Peer: &Peer{Metadata: Metadata{Tasks: 300, Held: held}}}
		p.active, p.had = append(p.active, c), append(p.had, c)
	}
	out := p.predicts()
	for i := range int32(300) {
		if o, ok := out.of(i); ok != (i < 255) || ok && o.Since != int64(i) {
			t.Errorf("task %d: %+v %v", i, o, ok)
		}
	}
}
