package group

import (
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

// A member joins those that have as many tasks as there may be: the leader must have the assignment before the others
// have waited for too long. It is not parallel, since it takes the processor time of all tests.
func TestManyTasks(t *testing.T) {
	w := &world{t: t}
	w.join("a", maxTasks)
	Assign(w.peers)
	w.peers[0].Generation = 5
	for i := range maxTasks {
		w.peers[0].Held = append(w.peers[0].Held, TaskInfo{Task: int32(i), Owner: 5})
	}
	w.join("b", maxTasks)
	before := awake.ProcessorTime(t)
	out := Assign(w.peers)
	took := awake.ProcessorTime(t) - before
	t.Log(took)
	if took > time.Second || len(out[1].Follow) < maxTasks/2 {
		t.Errorf("%d tasks to follow after %v", len(out[1].Follow), took)
	}
}
