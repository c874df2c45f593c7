package daemon

import (
	"fmt"
	"slices"
	"testing"

	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

// spread is how many models each daemon predicts for, rising; and whether each model, of so many, is at a seq where it
// is live, once, and followed by so many others.
func spread(all []*Daemon, models int, seq int64, followers int) (counts []int, whole bool) {
	live, following := map[string]int{}, map[string]int{}
	for _, d := range all {
		n := 0
		for _, s := range d.Statuses() {
			switch {
			case s.State == board.Live && s.Seq == seq:
				live[s.Model]++
				n++
			case s.State == board.Following:
				following[s.Model]++
			}
		}
		counts = append(counts, n)
	}
	slices.Sort(counts)
	whole = len(live) == models
	for model, n := range live {
		whole = whole && n == 1 && following[model] == followers
	}
	return counts, whole
}

// awaitSpread waits until the models are spread like this.
func awaitSpread(t *testing.T, all []*Daemon, seq int64, followers int, want ...int) {
	t.Helper()
	models := 0
	for _, n := range want {
		models += n
	}
	streamtest.Await(t, fmt.Sprintf("%d at seq %d, %d followers", want, seq, followers), func() bool {
		got, whole := spread(all, models, seq, followers)
		return whole && slices.Equal(got, want)
	})
}

// TestTasksAreSpread: three daemons share six models, each of which one has and another one follows. One that ends
// leaves its models to the others, and one that comes back gets some again. Each event is predicted once.
func TestTasksAreSpread(t *testing.T) {
	t.Parallel()
	const partitions = 6
	c, s := splitCluster(t, partitions, 0)
	s.Standbys = 1
	all, _, stops := members(t, s, 3)
	produce := func() {
		for p := range partitions {
			produceSome(t, c, s.Input, p, 50)
		}
	}
	produce()
	awaitSpread(t, all, 50, 1, 2, 2, 2)
	if err := stops[0](); err != nil {
		t.Fatal(err)
	}
	produce()
	awaitSpread(t, all[1:], 100, 1, 3, 3)
	again, _, back := members(t, s, 1)
	all[0], stops[0] = again[0], back[0]
	awaitSpread(t, all, 100, 1, 2, 2, 2)
	produce()
	awaitSpread(t, all, 150, 1, 2, 2, 2)
	for _, stop := range stops {
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
}

// TestNoFollowers: with --standbys 0 a model is where it is had, and nowhere else.
func TestNoFollowers(t *testing.T) {
	t.Parallel()
	_, s := splitCluster(t, 4, 50)
	s.Standbys = 0
	all, _, stops := members(t, s, 2)
	awaitSpread(t, all, 50, 0, 2, 2)
	if err := stops[0](); err != nil {
		t.Fatal(err)
	}
	awaitSpread(t, all[1:], 50, 0, 4)
	if err := stops[1](); err != nil {
		t.Fatal(err)
	}
}
