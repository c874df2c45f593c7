package group

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestViewOfAnother: another member has the task since this one was told so, and predicts since when it tells.
func TestViewOfAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		owner := Owner{Instance: "b"}
		s := &script{}
		s.join = func(m *Metadata) (Assignment, error) {
			told := Predicts{Owners: []Owner{owner}, By: []byte{1}}
			return Assignment{Nonce: m.Nonce, Follow: []int32{0}, Predicts: told}, nil
		}
		b := run(t, s)
		wait(0)
		began := time.Now()
		look := func(to Owner, given time.Time) {
			t.Helper()
			owner = to
			wait(2 * time.Second)
			s.beat = func() error { s.beat = nil; return ErrRejoin }
			wait(2 * beatEvery)
			v := b.Task(0).View()
			if given.IsZero() {
				given = s.joined[len(s.joined)-1]
			}
			since := time.Time{}
			if to.Since > 0 {
				since = time.UnixMilli(to.Since)
			}
			if v.Owner != to.Instance || v.Own || v.Lost || !v.Since.Equal(since) || !v.Given.Equal(given) {
				t.Errorf("%+v, want %+v, given %v", v, to, given)
			}
		}
		look(Owner{Instance: "b"}, began)
		look(Owner{Instance: "b", Since: 5}, began)
		look(Owner{Instance: "b", Since: 5}, began)
		look(Owner{Instance: "c"}, time.Time{})
		look(Owner{Instance: "c", Since: 7}, b.Task(0).View().Given)
		look(Owner{Instance: "c"}, time.Time{}) // it is another process, or was given it anew
		b.stop()
	})
}

// TestViewOfLost: a member that another process has fenced does not say that it has the task, before it is told who
// has.
func TestViewOfLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		b := run(t, s)
		g, err := b.Task(0).Assigned(t.Context(), 0)
		if v := b.Task(0).View(); err != nil || !g.First || !v.Own || v.Lost || !v.Since.IsZero() {
			t.Errorf("%+v, %+v, %v", g, v, err)
		}
		wait(2 * time.Second)
		joins := len(s.joins)
		s.join = func(m *Metadata) (Assignment, error) { // until then nobody tells who has the task
			time.Sleep(500 * time.Millisecond)
			return Assign([]Peer{{"a", *m}})[0], nil
		}
		go func() { _, _ = b.Task(0).Assigned(t.Context(), g.Number) }()
		wait(0)
		if v := b.Task(0).View(); v.Own || !v.Lost || v.Owner != "" {
			t.Errorf("%+v", v)
		}
		wait(2 * time.Second)
		if v := b.Task(0).View(); !v.Own || v.Lost || len(s.joins) == joins {
			t.Errorf("%+v, %d joins", v, len(s.joins))
		}
		b.stop()
	})
}

// TestFirst: a member knows whether somebody had the task before it.
func TestFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s, has := follower(t, "b")
		*has = "a"
		s.beat = func() error { s.beat = nil; return ErrRejoin }
		if g, err := b.Task(0).Assigned(t.Context(), 0); err != nil || g.First {
			t.Errorf("%+v, %v", g, err)
		}
		b.stop()
	})
}

// TestLiveIsNoChange: a member that has begun to predict tells since when with its next join, and does not join for
// that.
func TestLiveIsNoChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		b := run(t, s)
		b.set(time.Millisecond) // it takes over
		wait(3 * time.Second)
		joins, live := len(s.joins), time.Now()
		b.set(0)
		wait(3 * time.Second)
		if len(s.joins) != joins {
			t.Errorf("%d joins more", len(s.joins)-joins)
		}
		s.beat = func() error { s.beat = nil; return ErrRejoin }
		wait(2 * beatEvery)
		told := time.UnixMilli(s.joins[len(s.joins)-1].Held[0].Since)
		if late := told.Sub(live); len(s.joins) != joins+1 || late < 0 || late > beatEvery {
			t.Errorf("%d joins, since %v behind", len(s.joins), late)
		}
		if before := s.joins[joins-1].Held[0].Since; before != 0 {
			t.Errorf("it told %d before", before)
		}
		b.stop()
	})
}

// TestFollowersCounted: everybody is told how many follow, and why some of them may not take over.
func TestFollowersCounted(t *testing.T) {
	t.Parallel()
	owner := Metadata{Version: version, Generation: 1, Tasks: 2, Standbys: 3, Held: []TaskInfo{{Task: 0, Owner: 1}}}
	follows := func(told ...TaskInfo) Metadata {
		return Metadata{Version: version, Generation: 1, Tasks: 2, Held: told}
	}
	for _, c := range []struct {
		name      string
		followers []Metadata
		able      int
		awaits    string
	}{
		{"warm", []Metadata{follows(TaskInfo{Task: 0}), follows(TaskInfo{Task: 0, Cold: true, Behind: 20})}, 1, ""},
		{"other settings", []Metadata{follows(TaskInfo{Differs: true}), follows(TaskInfo{Differs: true})}, 0,
			"no follower may take over: other settings than the model has, without a token for them"},
		{"behind", []Metadata{follows(TaskInfo{Task: 0, Cold: true, Behind: 20}), follows()}, 0,
			"no follower may take over: more than 10 s behind"},
		{"both", []Metadata{follows(TaskInfo{Task: 0, Differs: true}), follows()}, 0,
			"no follower may take over: other settings, or more than 10 s behind"},
	} {
		peers := []Peer{{"a", owner}}
		for i, m := range c.followers {
			peers = append(peers, Peer{string(rune('b' + i)), m})
		}
		m := New(Config{Instance: "b", Failover: failover, Session: session})
		m.newest = Assign(peers)[1]
		if v := m.Task(0).View(); v.Owner != "a" || v.Followers != 2 || v.Able != c.able || v.Awaits != c.awaits {
			t.Errorf("%s: %+v", c.name, v)
		}
		m.config.Failover = 0
		want := c.awaits
		if want == "" {
			want = "--failover off: it is waited for until the brokers drop it, --session-timeout 10s after"
		}
		if got := m.Task(0).Awaits(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	if v := New(Config{Failover: failover}).Task(3).View(); v != (View{}) {
		t.Errorf("before any assignment: %+v", v)
	}
}

// TestManyFollowers: a count is of 255 members at most.
func TestManyFollowers(t *testing.T) {
	t.Parallel()
	p := plan{active: make([]*candidate, 1)}
	for range 300 {
		c := &candidate{Peer: &Peer{}}
		c.out.Follow = []int32{0}
		p.candidates = append(p.candidates, c)
	}
	out := p.predicts()
	if n, differ, cold := out.followers(0); n != 255 || differ != 0 || cold != 255 || out.Differ != nil {
		t.Errorf("%d %d %d %v", n, differ, cold, out.Differ)
	}
}

// TestModelsInLogs: a task has the name of its model there.
func TestModelsInLogs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _, _ := follower(t, "b")
		b.Task(0).Suspect(failover)
		wait(0)
		for _, want := range []string{`"has":"b","models":["0"]`, `"alive":["b"],"after":"600ms"`} {
			if !strings.Contains(b.log.String(), want) {
				t.Errorf("no %s: %s", want, &b.log)
			}
		}
		b.config.Name = func(int32) string { return "events.0" }
		if got := b.config.nameOf(0); got != "events.0" {
			t.Error(got)
		}
		b.stop()
	})
}
