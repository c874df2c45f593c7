package group

import (
	"testing"
	"time"
)

// A member joins those that have as many tasks as there may be: the leader must have the assignment before the others
// have waited for too long.
func TestManyTasks(t *testing.T) {
	t.Parallel()
	w := &world{t: t}
	w.join("a", maxTasks)
	Assign(w.peers)
	w.peers[0].Generation = 5
	for i := range maxTasks {
		w.peers[0].Held = append(w.peers[0].Held, TaskInfo{Task: int32(i), Owner: 5})
	}
	w.join("b", maxTasks)
	began := time.Now()
	out := Assign(w.peers)
	took := time.Since(began)
	t.Log(took)
	if took > time.Second || len(out[1].Follow) < maxTasks/2 {
		t.Errorf("%d tasks to follow after %v", len(out[1].Follow), took)
	}
}
