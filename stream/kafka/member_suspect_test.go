package kafka

import (
	"slices"
	"testing"
	"time"

	"rosenblatt/stream/group"
)

// asks is for how long work waits before a member asks.
const asks = 300 * time.Millisecond

// watching are members that ask, of which the first has a task, and n others are warm for it.
func watching(t *testing.T, tasks, n int) (ms *members, all []*process) {
	t.Helper()
	ms = newMembers(t, tasks)
	ms.keep, ms.alive = true, 6*time.Second
	for i := range 1 + n {
		p := &process{ice: &frozen{}}
		all = append(all, ms.run(p, string(rune('a'+i)), func(c *group.Config) {
			c.Failover, c.Standbys = asks, n
			p.ice.Transport, c.Transport = c.Transport, p.ice
		}))
		if i == 0 {
			ms.awaitSpread("the first one", all[0])
		}
	}
	ms.await("all are in the group", func() bool {
		for _, p := range all {
			has := len(p.newest.Active)
			if has+len(p.newest.Follow) != tasks || has < tasks/len(all) {
				return false
			}
		}
		return true
	})
	ms.awaitTold(all)
	return ms, all
}

// suspect makes members suspect who has some tasks, as looks do, until one of them asks.
func (ms *members) suspect(tasks []int32, all ...*process) {
	ms.t.Helper()
	late := timeout(ms.t, 30*time.Second)
	for asked := false; !asked; time.Sleep(5 * time.Millisecond) { // between looks
		if late.Err() != nil {
			ms.t.Fatal("nobody asks")
		}
		for _, p := range all {
			for _, task := range tasks {
				asked = p.Task(task).Suspect(time.Minute).Asked || asked
			}
		}
	}
}

// suspicions are those of all tasks.
func (p *process) suspicions() (sum group.Suspicions) {
	for task := range int32(p.ms.tasks) {
		of := p.Task(task).View().Suspicions
		sum.Alive, sum.Replaced = sum.Alive+of.Alive, sum.Replaced+of.Replaced
	}
	return sum
}

// answered waits until a member has so many answers.
func (ms *members) answered(p *process, want group.Suspicions) {
	ms.t.Helper()
	for late := timeout(ms.t, 30*time.Second); p.suspicions() != want; time.Sleep(5 * time.Millisecond) {
		if late.Err() != nil {
			ms.t.Fatalf("%+v, want %+v", p.suspicions(), want)
		}
	}
}

// TestSuspectedAndAlive: a member that is alive keeps its task, whoever suspects it, and if it is slow, too. The other
// tests wait meanwhile: a member that does not join within half a second is gone.
func TestSuspectedAndAlive(t *testing.T) {
	ms, all := watching(t, 1, 2)
	a, b, c := all[0], all[1], all[2]
	own := []int32{0}
	ms.suspect(own, b)
	ms.answered(b, group.Suspicions{Alive: 1})
	a.link.slow(50 * time.Millisecond)
	ms.suspect(own, b)
	ms.answered(b, group.Suspicions{Alive: 2})
	before := c.suspicions()
	ms.suspect(own, c)
	ms.answered(c, group.Suspicions{Alive: before.Alive + 1})
	ms.await("it has the task", func() bool { return len(a.newest.Active) == 1 && a.newest.Number > 3 })
	for _, p := range all {
		if v := p.Task(0).View(); v.Owner != "a" || len(p.assigned().Suspected) > 0 {
			t.Errorf("%+v, %+v", v, p.assigned())
		}
	}
}

// TestSuspectedAndGone: who does not join within half a second, dead, stopped or cut off, loses its tasks to members
// that are warm, long before its session is over.
func TestSuspectedAndGone(t *testing.T) {
	t.Parallel()
	kill := func(_ *testing.T, p *process) { p.link.kill() }
	for name, c := range map[string]struct {
		end  func(t *testing.T, p *process)
		who  int
		both bool // members suspect it at once
	}{
		"dead, the leader": {kill, 0, false},
		"another one":      {kill, 1, false},
		"two suspect":      {kill, 0, true},
		"stopped":          {func(t *testing.T, p *process) { t.Cleanup(p.ice.pause()) }, 0, false},
		"cut off":          {func(_ *testing.T, p *process) { p.link.deafen() }, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ms, all := watching(t, 4, 2)
			gone := all[c.who]
			var rest []*process
			for i, p := range all {
				if i != c.who {
					rest = append(rest, p)
				}
			}
			tasks := gone.assigned().Active
			before := gone.assigned().Generation
			done := ms.within(3*time.Second, "until its tasks are with others")
			c.end(t, gone)
			if c.both {
				ms.suspect(tasks, rest...)
			} else {
				ms.suspect(tasks, rest[0])
			}
			ms.await("others have its tasks", func() bool {
				x, y := &rest[0].newest, &rest[1].newest
				return len(x.Active)+len(y.Active) == ms.tasks && x.Generation == y.Generation
			})
			done()
			got := append(rest[0].assigned().Suspected, rest[1].assigned().Suspected...)
			other := func(task int32) bool { return !slices.Contains(tasks, task) }
			if len(got) == 0 || slices.ContainsFunc(got, other) { // it may join before the second
				t.Errorf("given because of a suspicion: %v, of %v", got, tasks)
			}
			for _, p := range rest {
				if s := p.suspicions(); s.Alive > 0 || p.assigned().Generation != before+1 {
					t.Errorf("%+v, generation %d behind %d", s, p.assigned().Generation, before)
				}
			}
		})
	}
}

// TestSecondDeath: the successor of one that is gone dies, too, before the first one's session is over.
func TestSecondDeath(t *testing.T) {
	t.Parallel()
	ms, all := watching(t, 1, 2)
	for n := range 2 {
		has := slices.IndexFunc(all, func(p *process) bool { return len(p.assigned().Active) == 1 })
		all[has].link.kill()
		all = slices.Delete(all, has, has+1)
		ms.suspect([]int32{0}, all...)
		ms.await("another one has it", func() bool {
			return slices.ContainsFunc(all, func(p *process) bool { return len(p.newest.Active) == 1 })
		})
		t.Logf("death %d: %+v", n+1, all[0].assigned())
	}
}
