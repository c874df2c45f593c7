package stream_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// pair is two members of a setup's task. The one that has the task dies at a random step; then the other one has it,
// and the first comes back and follows.
type pair struct {
	setup      *streamtest.Setup
	dirs       [2]string
	members    [2]*standby
	plugs      [2]*plug
	active     int
	generation int32
	homeless   bool   // a member that comes back has lost its folder
	more       func() // produces an event; nil: there are enough
}

func newPair(t testing.TB, s *streamtest.Setup) *pair {
	x := &pair{setup: s, dirs: [2]string{s.Dir, t.TempDir()}}
	for i := range x.members {
		x.start(t, i)
	}
	return x
}

func (x *pair) start(t testing.TB, i int) {
	p := &plug{}
	p.left.Store(1 << 40)
	s := *x.setup
	s.Adjust = func(task *stream.Task) {
		task.Journal = pluggedJournal{task.Journal, p}
		task.Store.FS = pluggedFS{task.Store.FS, p}
		if task.Checkpoints != nil {
			task.Checkpoints = pluggedTopic{task.Checkpoints, p}
		}
	}
	x.plugs[i], x.members[i] = p, member(t, &s, x.dirs[i])
}

// assign gives the task to the active member, which dies after so many steps.
func (x *pair) assign(steps int64) {
	x.generation++
	x.plugs[x.active].left.Store(steps)
	x.members[x.active].rounds <- x.generation
}

// crash waits until the active member has died, and lets the other one go on.
func (x *pair) crash(t testing.TB, steps int64) {
	t.Helper()
	x.awaitDeath(t)
	if x.homeless {
		x.dirs[x.active] = t.TempDir()
	}
	x.start(t, x.active)
	x.active = 1 - x.active
	x.assign(steps)
}

// awaitDeath produces more if what there is makes too few steps: the larger the batches, the fewer.
func (x *pair) awaitDeath(t testing.TB) {
	t.Helper()
	late := streamtest.Timeout(t, 60*time.Second).Done()
	more := time.NewTicker(50 * time.Millisecond)
	defer more.Stop()
	for {
		select {
		case err := <-x.members[x.active].ended:
			if !errors.Is(err, errPlug) {
				t.Fatalf("member %d: %v", x.active, err)
			}
			return
		case err := <-x.members[1-x.active].ended:
			t.Fatalf("the follower ended: %v", err)
		case <-more.C:
			if x.more != nil {
				x.more()
			}
		case <-late:
			t.Fatalf("member %d does not end: %+v", x.active, x.members[x.active].Status())
		}
	}
}

// end stops both, and lets the active one's folder be run to the end of the input.
func (x *pair) end(t testing.TB) *streamtest.Setup {
	t.Helper()
	streamtest.Await(t, "live", func() bool { return x.members[x.active].Status().State == board.Live })
	for _, m := range x.members {
		m.stop()
		if err := <-m.ended; err != nil {
			t.Fatal(err)
		}
	}
	s := *x.members[x.active].setup
	s.Adjust, s.Config.UntilEnd = nil, true
	s.MustRun(t)
	return &s
}

// TestStandbyCrashAnywhere: whatever step the writer dies at, a follower goes on to the bit.
func TestStandbyCrashAnywhere(t *testing.T) {
	t.Parallel()
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	if streamtest.Real() {
		rounds = 1
	}
	for seed := range uint64(rounds) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 31))
			partitions := 1 + r.IntN(3)
			s := streamtest.New(t, streamtest.Start(t), partitions)
			if seed%2 == 1 {
				withTopic(t, s)
			}
			s.Config.BatchRecords = 1 + r.IntN(20)
			s.Config.CheckpointInterval = time.Millisecond
			s.Config.CheckpointEvery = int64(1 + r.IntN(100))
			x := newPair(t, s)
			x.homeless = s.State != ""
			x.more = func() { s.Cluster.Produce(t, s.Name, 0, events(seed, 1)...) }
			x.assign(r.Int64N(60))
			for i := range uint64(10) {
				for p := range partitions {
					s.Cluster.Produce(t, s.Name, p, events(seed*100+i*10+uint64(p), 50)...)
				}
				steps := r.Int64N(60)
				if i == 9 {
					steps = 1 << 40
				}
				x.crash(t, steps)
			}
			last := x.end(t)
			last.Audit(t)
			verified(t, last)
		})
	}
}

// TestStandbyLate: followers learn outcomes, too.
func TestStandbyLate(t *testing.T) {
	t.Parallel()
	rounds := 4
	if testing.Short() || streamtest.Real() {
		rounds = 1
	}
	for seed := range uint64(rounds) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 33))
			partitions, labels := 1+r.IntN(3), 1+r.IntN(3)
			s := lateSetup(t, partitions, labels, 1+r.IntN(3))
			all := newLateStream(seed, 400, partitions, labels)
			s.Config.BatchRecords = 1 + r.IntN(12)
			s.Config.CheckpointInterval = time.Millisecond
			s.Config.CheckpointEvery = 1 + int64(r.IntN(60))
			s.Config.Labels.Memory = []int64{1, 100_000, 0}[seed%3]
			x := newPair(t, s)
			x.members[1].await(t, board.Following, 0)
			all.produce(t, s) // what was not there when they loaded
			x.assign(20 + r.Int64N(40))
			for range 4 {
				x.crash(t, 20+r.Int64N(40))
			}
			x.crash(t, 1<<40)
			last := x.end(t)
			a := auditLate(t, last)
			a.wantProduced(all)
			sameScore(t, last, a)
		})
	}
}

// TestFollowLabels: a follower learns from label records that came since it loaded its checkpoint.
func TestFollowLabels(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 1, 1, 1)
	a := member(t, s, s.Dir)
	var asked atomic.Int64
	s.Wrap = func(l topics.Log) topics.Log { return countedEnds{l, &asked} }
	b := member(t, s, t.TempDir())
	a.rounds <- 1
	at := time.Now().Add(-time.Hour).UnixMilli()
	for i := range int64(3) {
		at += 1000
		s.Cluster.ProduceAt(t, s.Name, 0, at, fmt.Sprintf(`{"id":"e%d","features":{"a":1}}`, i))
		a.await(t, board.Live, 2*i+1)
		b.await(t, board.Following, 2*i+1)
		s.Cluster.ProduceAt(t, s.Kafka.Labels, 0, at, fmt.Sprintf(`{"id":"e%d","label":1}`, i))
		a.await(t, board.Live, 2*i+2)
		b.await(t, board.Following, 2*i+2)
	}
	if a.sum(t) != b.sum(t) {
		t.Error("the follower has another model")
	}
	streamtest.Await(t, "ends are noted", func() bool { return asked.Load() >= 2 })
}
