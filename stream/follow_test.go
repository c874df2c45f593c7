package stream_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// killed makes the tasks of a setup die at their next write once p is out of steps.
func killed(s *streamtest.Setup) (p *plug) {
	p = &plug{}
	p.left.Store(1 << 40)
	s.Adjust = func(task *stream.Task) { task.Journal = pluggedJournal{task.Journal, p} }
	return p
}

// TestFollower: a follower has the model of the writer, to the bit, and goes on with it when that is killed.
func TestFollower(t *testing.T) {
	t.Parallel()
	for _, partitions := range []int{1, 3} {
		t.Run(fmt.Sprint(partitions), func(t *testing.T) {
			s := streamtest.New(t, streamtest.Start(t), partitions)
			s.Config.CheckpointInterval = time.Hour
			p := killed(s)
			a := member(t, s, s.Dir)
			a.rounds <- 1
			a.await(t, board.Live, 0)
			s.Adjust = nil
			b := member(t, s, t.TempDir())
			b.await(t, board.Following, 0)
			produce := func(seed uint64, n int) {
				for p := range partitions {
					s.Cluster.Produce(t, s.Name, p, append(events(seed+uint64(p), n), "{")...)
				}
			}
			for i := range 3 {
				produce(uint64(10*i), 100)
				a.await(t, board.Live, int64((i+1)*98*partitions))
				b.await(t, board.Following, a.Status().Seq)
				for _, m := range []*standby{a, b} {
					streamtest.Await(t, "the dead letters", func() bool {
						return m.Status().Counts.Rejected["syntax"] == int64((i+1)*3*partitions)
					})
				}
				if a.sum(t) != b.sum(t) {
					t.Fatalf("at seq %d the follower has another model", a.Status().Seq)
				}
			}
			x, y := a.Status(), b.Status()
			if fmt.Sprint(x.Score) != fmt.Sprint(y.Score) || fmt.Sprint(x.Counts) != fmt.Sprint(y.Counts) ||
				y.Epoch != x.Epoch {
				t.Errorf("the writer has %+v, %+v, the follower %+v, %+v", x.Score, x.Counts, y.Score, y.Counts)
			}
			if y.FollowedAt.IsZero() || time.Since(y.FollowedAt) > 30*time.Second {
				t.Errorf("it followed up to %v", y.FollowedAt)
			}
			p.left.Store(0)
			produce(100, 50)
			if err := <-a.ended; !errors.Is(err, errPlug) {
				t.Fatal(err)
			}
			b.rounds <- 2
			b.await(t, board.Live, x.Seq+int64(49*partitions))
			b.stop()
			if err := <-b.ended; err != nil {
				t.Fatal(err)
			}
			s.Audit(t)
			verified(t, s)
		})
	}
}

// TestFencedFollowsAgain: a writer that is fenced follows the one that fenced it, and takes over only under a later
// generation; a follower that is stopped has nothing to finish.
func TestFencedFollowsAgain(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	a, b := member(t, s, s.Dir), member(t, s, t.TempDir())
	seq, had := int64(0), map[*standby]int32{}
	for round, writer := range []*standby{a, b, a, b} {
		// No number may be left over: with it the one that was replaced would take over again, beside the one that has
		// a later one, as no group lets it.
		if old := had[writer]; old > 0 {
			writer.rounds <- old
		}
		had[writer] = int32(round + 1)
		writer.rounds <- had[writer]
		streamtest.Await(t, "the writer", func() bool { return writer.Status().State == board.Live })
		s.Cluster.Produce(t, s.Name, 0, events(uint64(round), 50)...)
		seq += 49
		writer.await(t, board.Live, seq)
		other := b
		if writer == b {
			other = a
		}
		other.await(t, board.Following, seq)
		if a.sum(t) != b.sum(t) {
			t.Error("they have different models")
		}
	}
	for _, m := range []*standby{a, b} {
		m.stop()
		if err := <-m.ended; err != nil {
			t.Error(err)
		}
	}
	s.Audit(t)
	verified(t, s)
}

// TestFollowTorn: a follower learns nothing of a flight that lacks entries. When it takes over, it completes the
// flight.
func TestFollowTorn(t *testing.T) {
	t.Parallel()
	for mask := range 27 {
		if testing.Short() && mask%5 > 0 || streamtest.Real() && mask != 5 {
			continue
		}
		t.Run(fmt.Sprint(mask), func(t *testing.T) {
			s := wide(t, 3)
			b := member(t, s, t.TempDir())
			parts := []func(n int) int{func(int) int { return 0 }, func(n int) int { return n / 2 },
				func(n int) int { return n }}
			cut(t, s, 2, func(i int, batch *topics.Batch) int {
				return parts[[]int{mask % 3, mask / 3 % 3, mask / 9}[i%3]](batch.Records.Len())
			})
			written, published := time.Now(), publishedSeqs(t, s)
			first := int64(1)
			for slices.Contains(published, first) {
				first++
			}
			streamtest.Await(t, "a look at all", func() bool { return b.Status().FollowedAt.After(written) })
			if seq := b.Status().Seq; seq >= first || seq < first-15 {
				t.Fatalf("the follower has seq %d, and %d is missing", seq, first)
			}
			b.rounds <- 1
			b.await(t, board.Live, 117)
			b.stop()
			if err := <-b.ended; err != nil {
				t.Fatal(err)
			}
			s.Audit(t)
			verified(t, s)
		})
	}
}

// publishedSeqs are the seqs in the output.
func publishedSeqs(t *testing.T, s *streamtest.Setup) (all []int64) {
	t.Helper()
	for p, b := range boundsOf(t, s).Output.Partitions {
		for _, r := range streamtest.Read(t, s.Client(t), topics.Output, int32(p), b) {
			_, seq, _ := strings.Cut(string(r.Value), `"seq":`)
			var n int64
			if _, err := fmt.Sscan(strings.SplitN(seq, ",", 2)[0], &n); err != nil {
				t.Fatal(err)
			}
			all = append(all, n)
		}
	}
	return all
}

// splitLog lists the journal's ends after somebody has written since it listed those of the dead letters.
type splitLog struct {
	topics.Log
	between atomic.Pointer[func()] // called once
}

func (l *splitLog) Written(ctx context.Context) (topics.Ends, error) {
	first, err := l.Log.Written(ctx)
	between := l.between.Swap(nil)
	if err != nil || between == nil {
		return first, err
	}
	(*between)()
	ends, err := l.Log.Written(ctx)
	ends.DeadLetters = first.DeadLetters
	return ends, err
}

// TestFollowDeadLetters: a follower learns no entry before it has read the dead letters that were acknowledged before
// that, though the model would not reject their records.
func TestFollowDeadLetters(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.ModelConfig.Decode.IDField = "id"
	s.Cluster.SetConfig(t, s.Output(), "max.message.bytes", "2000")
	a := member(t, s, s.Dir)
	a.rounds <- 1
	a.await(t, board.Live, 0)
	between := func() {
		huge := `{"id":"` + strings.Repeat("x", 3000) + `","label":1,"features":{"a":1}}`
		s.Cluster.Produce(t, s.Name, 0, `{"label":1,"features":{"a":1}}`, huge, `{"label":-1,"features":{"a":2}}`)
		streamtest.Await(t, "the predictions", func() bool {
			return a.Status().Seq == 3 && a.Status().Unacknowledged == 0
		})
	}
	log := &splitLog{}
	s.Wrap = func(l topics.Log) topics.Log { log.Log = l; return log }
	b := member(t, s, t.TempDir())
	s.Cluster.Produce(t, s.Name, 0, `{"label":1,"features":{"a":1}}`)
	b.await(t, board.Following, 1)
	log.between.Store(&between)
	b.await(t, board.Following, 3)
	if n := b.Status().Counts.Rejected["prediction-too-large"]; n != 1 {
		t.Errorf("%d dead letters, want 1", n)
	}
	if a.sum(t) != b.sum(t) {
		t.Error("the follower has another model")
	}
}

// TestFollowNewWriter: what a takeover accepts is in a checkpoint before its first entry, and a follower goes on from
// there.
func TestFollowNewWriter(t *testing.T) {
	t.Parallel()
	s, missing := torn(t)
	first := *s
	b := member(t, s, copied(t, s.Dir))
	streamtest.Await(t, "following", func() bool { return b.Status().State == board.Following })
	s.Cluster.DeleteRecords(t, s.Name, missing, 40)
	for p := range 3 {
		s.Cluster.Produce(t, s.Name, p, events(uint64(20+p), 20)...)
	}
	first.Config.Accept = []string{stops.InputGone}
	var once sync.Once
	first.Adjust = func(task *stream.Task) { // its checkpoint is where the follower finds it
		task.Journal = &cutJournal{Journal: task.Journal, left: 1 << 30, ready: func() {
			once.Do(func() {
				_ = os.RemoveAll(filepath.Join(b.setup.Dir, s.Name))
				if err := os.CopyFS(b.setup.Dir, os.DirFS(s.Dir)); err != nil {
					t.Error(err)
				}
			})
		}}
	}
	a := first.MustRun(t)
	b.await(t, board.Following, a.Status().Seq)
	if accepted := b.Status().Accepted; len(accepted) != 1 || b.Status().Epoch != a.Status().Epoch {
		t.Errorf("accepted: %+v, epoch %d, want %d", accepted, b.Status().Epoch, a.Status().Epoch)
	}
}

func copied(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// TestFollowWidened: partitions that are added while a follower reads are read by it too, whoever fences them.
func TestFollowWidened(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.WatchEvery = 20 * time.Millisecond
	a, b := member(t, s, s.Dir), member(t, s, t.TempDir())
	a.rounds <- 1
	a.await(t, board.Live, 0)
	b.await(t, board.Following, 0)
	for _, topic := range []string{s.Output(), s.DeadLetters(), s.Name} {
		s.Cluster.AddPartitions(t, topic, 2)
	}
	s.Cluster.Produce(t, s.Name, 1, events(1, 50)...)
	a.await(t, board.Live, 49)
	b.await(t, board.Following, 49)
	b.rounds <- 2
	b.await(t, board.Live, 49)
	s.Cluster.Produce(t, s.Name, 0, events(2, 50)...)
	b.await(t, board.Live, 98)
	a.await(t, board.Following, 98)
}
