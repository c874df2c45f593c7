package stream_test

import (
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

// stuckFS is a disk that hangs from a time on.
type stuckFS struct {
	checkpoint.FS
	stuck   atomic.Bool
	waits   atomic.Bool // a save does
	release chan struct{}
}

func (f *stuckFS) Create(path string) (checkpoint.Handle, error) {
	if f.stuck.Load() {
		f.waits.Store(true)
		<-f.release
	}
	return f.FS.Create(path)
}

// TestTakeoverAtOnce: readers do not wait until a follower that takes over has written a checkpoint.
func TestTakeoverAtOnce(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 2)
	produceTo(t, s, 2, 50, 1)
	s.MustRun(t)
	disk := &stuckFS{release: make(chan struct{})}
	s.Adjust = func(task *stream.Task) { disk.FS, task.Store.FS = task.Store.FS, disk }
	b := member(t, s, copied(t, s.Dir))
	defer close(disk.release)
	b.await(t, board.Following, 98)
	disk.stuck.Store(true)
	b.rounds <- 1
	produceTo(t, s, 2, 50, 2)
	b.await(t, board.Live, 196)
	streamtest.Await(t, "acknowledgements", func() bool { return b.Status().Unacknowledged == 0 })
}

// TestTakeoverDuringSave: a follower whose disk hangs while it saves goes on following, and takes over. The save before
// is the newest until that one ends.
func TestTakeoverDuringSave(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	produceTo(t, s, 1, 50, 1)
	s.MustRun(t)
	folder := copied(t, s.Dir)
	writer := member(t, s, s.Dir)
	writer.rounds <- 1
	writer.await(t, board.Live, 49)
	disk, f := &stuckFS{release: make(chan struct{})}, *s
	f.Config.CheckpointInterval = 10 * time.Millisecond
	f.Adjust = func(task *stream.Task) { disk.FS, task.Store.FS = task.Store.FS, disk }
	b := member(t, &f, folder)
	b.await(t, board.Following, 49)
	produceTo(t, s, 1, 50, 2)
	b.await(t, board.Following, 98) // with the checkpoint of the writer's epoch
	disk.stuck.Store(true)
	for round := range int64(3) {
		produceTo(t, s, 1, 50, uint64(3+round))
		b.await(t, board.Following, 147+49*round)
		streamtest.Await(t, "a save", disk.waits.Load)
		if b.sum(t) != writer.sum(t) {
			t.Errorf("at seq %d the follower has another model", b.Status().Seq)
		}
	}
	saved := b.Status().Saved.Seq
	b.rounds <- 2
	b.await(t, board.Live, 245)
	produceTo(t, s, 1, 50, 9)
	b.await(t, board.Live, 294)
	if got := b.Status().Saved.Seq; got != saved {
		t.Errorf("checkpoint %d after %d, while the disk hangs", got, saved)
	}
	disk.stuck.Store(false)
	close(disk.release)
	b.stop()
	if err := <-b.ended; err != nil {
		t.Fatal(err)
	}
	writer.stop()
	<-writer.ended
	f.Config.UntilEnd, f.Adjust, f.Dir = true, nil, b.setup.Dir
	if n := f.MustRun(t).Status().Recovered.Predictions; n != 0 {
		t.Errorf("%d predictions were learned again", n)
	}
	f.Audit(t)
	verified(t, &f)
}

// TestFollowerSavesTheLast: the last entries of a follower do not wait for others to be in a checkpoint. Once other
// members follow, it shows nothing of the model.
func TestFollowerSavesTheLast(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.BatchRecords, s.Config.CheckpointInterval = 5, 10*time.Millisecond
	a, b := member(t, s, s.Dir), member(t, s, t.TempDir())
	a.rounds <- 1
	s.Cluster.Produce(t, s.Name, 0, events(1, 50)...)
	a.await(t, board.Live, 49)
	b.await(t, board.Following, 49)
	streamtest.Await(t, "the checkpoint", func() bool { return b.Status().Saved.Seq == 49 })
	b.stop()
	if err := <-b.ended; err != nil {
		t.Fatal(err)
	}
	b.Idle("")
	st := b.Status()
	if st.State != board.Idle || st.Model != s.Name || st.Learner != "" || st.Seq != 0 || st.Saved.Seq != 0 ||
		st.Partitions != nil || !st.EndsAt.IsZero() || st.Checkpoints == 0 {
		t.Errorf("idle: %+v", st)
	}
}
