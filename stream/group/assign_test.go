package group

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// world is members and what they hold, as Members would tell it, for rounds of assignments.
type world struct {
	t     *testing.T
	peers []Peer
	round int32
}

func (w *world) join(instance string, tasks int) {
	w.peers = append(w.peers, Peer{instance, Metadata{Version: version, Tasks: tasks, Standbys: 1, Format: 3,
		Settings: "s", Nonce: uint64(len(w.peers) + 1)}})
}

func (w *world) leave(i int) { w.peers = slices.Delete(w.peers, i, i+1) }

// assign checks what holds for every assignment, and applies it: actives own their tasks, followers are cold at first.
func (w *world) assign() []Assignment {
	w.t.Helper()
	out := Assign(w.peers)
	w.check(out)
	w.round++
	for i, a := range out {
		p := &w.peers[i]
		before := p.Metadata
		p.Generation, p.Held = w.round, nil
		for t := range int32(p.Tasks) {
			switch was, ok := before.held(t); {
			case was.Stopped != "":
				p.Held = append(p.Held, was)
			case slices.Contains(a.Active, t):
				p.Held = append(p.Held, TaskInfo{Task: t, Owner: w.round})
			case slices.Contains(a.Follow, t):
				p.Held = append(p.Held, TaskInfo{Task: t, Cold: !ok || was.Cold})
			}
		}
	}
	return out
}

func (w *world) check(out []Assignment) {
	w.t.Helper()
	tasks := 0
	for i, p := range w.peers {
		tasks = max(tasks, p.Tasks)
		if out[i].Nonce != p.Nonce {
			w.t.Fatalf("%s: nonce %d", p.Instance, out[i].Nonce)
		}
		if out[i].Refused != "" && len(out[i].Active)+len(out[i].Follow) > 0 {
			w.t.Fatalf("%s is refused (%s) and has tasks", p.Instance, out[i].Refused)
		}
		if !slices.IsSorted(out[i].Active) || !slices.IsSorted(out[i].Follow) {
			w.t.Fatalf("%s: out of order: %+v", p.Instance, out[i])
		}
	}
	for i, a := range out {
		others := 0
		for j, b := range out {
			able := len(a.Active) == 0
			for _, task := range a.Active {
				h, _ := w.peers[j].held(task)
				able = able || h.Stopped == "" && !h.Differs
			}
			if j != i && b.Refused == "" && !b.Late && able {
				others++
			}
		}
		if a.Others != others {
			w.t.Fatalf("%s: %d others, want %d", w.peers[i].Instance, a.Others, others)
		}
	}
	for t := range int32(tasks) {
		w.checkTask(out, t)
	}
	reversed := slices.Clone(w.peers)
	slices.Reverse(reversed)
	again := Assign(reversed)
	slices.Reverse(again)
	if !reflect.DeepEqual(out, again) {
		w.t.Fatalf("the order of the members makes a difference:\n%+v\n%+v", out, again)
	}
}

// checkTask wants one owner, a warm one where there is one, and followers, of those at which the task has not stopped.
func (w *world) checkTask(out []Assignment, t int32) {
	w.t.Helper()
	active, followers, open := -1, 0, 0
	for i, a := range out {
		h, _ := w.peers[i].held(t)
		if a.Refused == "" && !a.Late && h.Stopped == "" && !h.Differs {
			open++
		}
		if h.Differs && h.Stopped == "" {
			follows := a.Refused == "" && !a.Late
			if slices.Contains(a.Active, t) || slices.Contains(a.Follow, t) != follows {
				w.t.Fatalf("%s differs in task %d: %+v", w.peers[i].Instance, t, a)
			}
			continue
		}
		if h.Stopped != "" && (slices.Contains(a.Active, t) || slices.Contains(a.Follow, t)) {
			w.t.Fatalf("%s gets task %d, which has stopped there", w.peers[i].Instance, t)
		}
		if slices.Contains(a.Active, t) {
			if active >= 0 {
				w.t.Fatalf("task %d has two owners", t)
			}
			active = i
		}
		if slices.Contains(a.Follow, t) {
			followers++
			if slices.Contains(a.Active, t) {
				w.t.Fatalf("%s has task %d and follows it", w.peers[i].Instance, t)
			}
		}
	}
	if active < 0 && open > 0 {
		w.t.Fatalf("task %d has no owner", t)
	}
	if open > 1 && (followers < min(1, open-1) || followers > 2) {
		w.t.Fatalf("task %d has %d followers", t, followers)
	}
	if active >= 0 && (out[active].Late || !isWarm(&w.peers[active], t)) {
		for i, p := range w.peers {
			if isWarm(&p, t) && out[i].Refused == "" && !out[i].Late {
				w.t.Fatalf("task %d is with %s, not with %s, which is warm", t, w.peers[active].Instance,
					p.Instance)
			}
		}
	}
}

func isWarm(p *Peer, task int32) bool {
	h, ok := p.held(task)
	return ok && !h.Cold && h.Stopped == "" && !h.Differs
}

// stop makes a task stop at a member.
func (w *world) stop(i int, task int32) {
	p := &w.peers[i]
	at, ok := search(p.Held, task)
	if !ok {
		p.Held = slices.Insert(p.Held, at, TaskInfo{})
	}
	p.Held[at] = TaskInfo{Task: task, Stopped: "input-gone"}
}

// warm makes all followers warm.
func (w *world) warm() {
	for i := range w.peers {
		for j := range w.peers[i].Held {
			w.peers[i].Held[j].Cold = w.peers[i].Held[j].Stopped != ""
		}
	}
}

// settle assigns until nothing changes and returns the result and how many tasks moved.
func (w *world) settle() (out []Assignment, moved int) {
	w.t.Helper()
	for range 10 {
		before := slices.Clone(w.peers)
		out = w.assign()
		w.warm()
		m := 0
		for i := range out {
			for _, t := range out[i].Active {
				if was, _ := before[i].held(t); was.Owner == 0 {
					m++
				}
			}
		}
		if moved += m; m == 0 && reflect.DeepEqual(heldOf(before), heldOf(w.peers)) {
			return out, moved
		}
	}
	w.t.Fatalf("it does not settle: %+v", out)
	return nil, 0
}

// heldOf is what the members have and follow, but for the generations.
func heldOf(peers []Peer) (held [][]TaskInfo) {
	for _, p := range peers {
		all := slices.Clone(p.Held)
		for i := range all {
			all[i].Owner = min(all[i].Owner, 1)
		}
		held = append(held, all)
	}
	return held
}

func spread(out []Assignment) int {
	least, most := len(out[0].Active), 0
	for _, a := range out {
		least, most = min(least, len(a.Active)), max(most, len(a.Active))
	}
	return most - least
}

// Members come, go, and come back cold: tasks are spread evenly, and no more of them move than that needs.
func TestAssignProperties(t *testing.T) {
	t.Parallel()
	for seed := range seeds(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		w, tasks := &world{t: t}, 1+rng.IntN(20)
		names := 0
		for range 12 {
			n := len(w.peers)
			switch k := rng.IntN(4); {
			case n == 0 || k == 0 && n < 6:
				w.join(fmt.Sprint("m", rng.IntN(100), "-", names), tasks)
				names++
				_, moved := w.settle()
				if most := (tasks + n) / (n + 1); n > 0 && moved > most {
					t.Fatalf("seed %d: %d of %d tasks moved to member %d", seed, moved, tasks, n+1)
				}
			case k == 1 && n > 1:
				i := rng.IntN(n)
				had := 0
				for _, h := range w.peers[i].Held {
					if h.Owner > 0 {
						had++
					}
				}
				w.leave(i)
				if _, moved := w.settle(); moved > 2*had {
					t.Fatalf("seed %d: %d tasks moved when a member with %d left", seed, moved, had)
				}
			case k == 2:
				p := &w.peers[rng.IntN(n)] // comes back with nothing
				p.Generation, p.Held = 0, nil
				w.settle()
			default:
				p := &w.peers[rng.IntN(n)] // falls behind with what it follows; or is not live with what it has
				stuck := rng.IntN(2) == 0
				for j := range p.Held {
					p.Held[j].Cold = p.Held[j].Owner == 0 || stuck
				}
				w.assign()
			}
			out, _ := w.settle()
			if n := spread(out); n > 1 {
				t.Fatalf("seed %d: one member has %d tasks more than another: %+v", seed, n, out)
			}
			if out, moved := w.settle(); moved != 0 {
				t.Fatalf("seed %d: %d tasks move without a reason: %+v", seed, moved, out)
			}
		}
	}
}

// seeds is a tenth of them where time is short.
func seeds(n uint64) uint64 {
	if testing.Short() {
		return n / 10
	}
	return n
}

// Whatever the members tell, no rule is broken: nonsense, late members, other settings.
func TestAssignAnything(t *testing.T) {
	t.Parallel()
	for seed := range seeds(3000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		w := &world{t: t}
		tasks := rng.IntN(6)
		for i := range 1 + rng.IntN(5) {
			w.join(fmt.Sprint(i), tasks)
			p := &w.peers[i]
			p.Settings = []string{"s", "s", "s", "other"}[rng.IntN(4)]
			p.Format = 3 + rng.IntN(5)/4
			p.Generation = int32(rng.IntN(4))
			for task := range int32(tasks) {
				if rng.IntN(2) == 0 {
					p.Held = append(p.Held, TaskInfo{Task: task, Owner: rng.Int32N(4), Cold: rng.IntN(2) == 0,
						Behind: rng.Int64N(100), Stopped: []string{"", "", "input-gone"}[rng.IntN(3)],
						Differs: rng.IntN(4) == 0})
				}
			}
		}
		w.check(Assign(w.peers))
	}
}
