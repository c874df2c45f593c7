package group

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"rosenblatt/stream/internal/awake"
)

// A task that its owner is taking over is not moved to another member; one that is live is.
func TestStartingStays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first, second TaskInfo
		moved         []int32
	}{
		"both live":          {TaskInfo{}, TaskInfo{}, []int32{0}},
		"one is taken over":  {TaskInfo{Starting: true}, TaskInfo{}, []int32{1}},
		"both are":           {TaskInfo{Starting: true}, TaskInfo{Starting: true}, nil},
		"the owner is stuck": {TaskInfo{Starting: true, Cold: true}, TaskInfo{Starting: true}, []int32{0}},
	} {
		w := &world{t: t}
		w.join("a", 2)
		w.join("b", 2)
		c.second.Task = 1
		c.first.Owner, c.second.Owner = 5, 5
		w.peers[0].Generation, w.peers[0].Held = 5, []TaskInfo{c.first, c.second}
		w.peers[1].Generation, w.peers[1].Held = 5, []TaskInfo{{Task: 0}, {Task: 1}}
		if out := Assign(w.peers); !slices.Equal(out[1].Active, c.moved) {
			t.Errorf("%s: %v are moved, want %v", name, out[1].Active, c.moved)
		}
	}
}

// Tasks stop at one member after the other, which come back now and then with nothing stopped. They are as even as they
// can be: no task could go to a member that has fewer by two, over others or not. And they stay where they are then.
func TestAssignStopped(t *testing.T) {
	t.Parallel()
	for seed := range seeds(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		w, tasks := &world{t: t}, 1+rng.IntN(12)
		for i := range 2 + rng.IntN(4) {
			w.join(fmt.Sprint("m", i), tasks)
		}
		w.settle()
		for range 20 {
			for range 1 + rng.IntN(tasks) {
				w.stop(rng.IntN(len(w.peers)), rng.Int32N(int32(tasks)))
			}
			if rng.IntN(4) == 0 {
				p := &w.peers[rng.IntN(len(w.peers))]
				p.Generation, p.Held = 0, nil
			}
			out, _ := w.settle()
			w.checkEven(seed, out)
			if again, moved := w.settle(); moved != 0 {
				t.Fatalf("seed %d: %d tasks move without a reason: %+v", seed, moved, again)
			}
		}
	}
}

// checkEven looks for a way on which tasks could move from a member to one that has fewer by two.
func (w *world) checkEven(seed uint64, out []Assignment) {
	w.t.Helper()
	n := len(out)
	way := make([][]bool, n)
	for i, a := range out {
		way[i] = make([]bool, n)
		for _, task := range a.Active {
			for j := range w.peers {
				h, _ := w.peers[j].held(task)
				way[i][j] = way[i][j] || h.Stopped == ""
			}
		}
	}
	for over := range n {
		for i := range n {
			for j := range n {
				way[i][j] = way[i][j] || way[i][over] && way[over][j]
			}
		}
	}
	for i := range n {
		for j := range n {
			if way[i][j] && len(out[i].Active) > len(out[j].Active)+1 {
				w.t.Fatalf("seed %d: %s has %d tasks, %s has %d and could have more: %+v", seed, w.peers[i].Instance,
					len(out[i].Active), w.peers[j].Instance, len(out[j].Active), out)
			}
		}
	}
}

// Of three members one has four tasks that have stopped at the third, another one two that have not: over that one the
// third gets two.
func TestMovesOverAThird(t *testing.T) {
	t.Parallel()
	w := &world{t: t}
	for i := range 3 {
		w.join(fmt.Sprint("m", i), 6)
		w.peers[i].Generation = 1
	}
	for task := range int32(6) {
		w.peers[task/4].Held = append(w.peers[task/4].Held, TaskInfo{Task: task, Owner: 1})
		if task < 4 {
			w.stop(2, task)
		}
	}
	out, moved := w.settle()
	if n := spread(out); n != 0 || moved != 4 {
		t.Errorf("%d tasks moved: %+v", moved, out)
	}
}

// A member joins those that have as many tasks as there may be: the leader must have the assignment before the others
// have waited for too long, also where all of them have stopped at a third one. It is not parallel, since it takes the
// processor time of all tests.
func TestManyTasks(t *testing.T) {
	w := &world{t: t}
	w.join("a", maxTasks)
	Assign(w.peers)
	w.peers[0].Generation = 5
	for i := range maxTasks {
		w.peers[0].Held = append(w.peers[0].Held, TaskInfo{Task: int32(i), Owner: 5})
	}
	w.join("b", maxTasks)
	w.join("c", maxTasks)
	w.peers[2].Generation = 5
	for i := range maxTasks {
		w.stop(2, int32(i))
	}
	before := awake.ProcessorTime(t)
	out := Assign(w.peers)
	took := awake.ProcessorTime(t) - before
	t.Log(took)
	if took > time.Second || len(out[1].Follow) < maxTasks/2 {
		t.Errorf("%d tasks to follow after %v", len(out[1].Follow), took)
	}
}
