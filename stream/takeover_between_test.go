package stream_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// takeoverBetween makes a member of s that follows, reads nothing of the checkpoint topic any more, and calls between
// when it is about to fence.
func takeoverBetween(t *testing.T, s *streamtest.Setup, between func()) *standby {
	t.Helper()
	topic, f := &heldTopic{release: make(chan struct{})}, *s
	f.Adjust = func(task *stream.Task) {
		topic.Log, task.Checkpoints = task.Checkpoints, topic
		task.Journal = &hookJournal{Journal: task.Journal, takeover: func(context.Context, int) error {
			if topic.held.CompareAndSwap(true, false) {
				between()
				close(topic.release)
			}
			return nil
		}}
	}
	b := member(t, &f, t.TempDir())
	b.await(t, board.Following, 10)
	topic.held.Store(true)
	b.rounds <- 1
	return b
}

// TestTakeoversWithinASecond: a process takes over, saves, and publishes nothing, just before a member does that has
// not read its manifest. The member has an epoch of its own.
func TestTakeoversWithinASecond(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	s.MustRun(t)
	b := takeoverBetween(t, s, func() {
		other := *s
		other.Dir = t.TempDir()
		if st := other.MustRun(t).Status(); st.Epoch != 2 {
			t.Errorf("epoch %d", st.Epoch)
		}
	})
	b.await(t, board.Live, 10)
	if st := b.Status(); st.Epoch != 3 {
		t.Errorf("epoch %d after 2", st.Epoch)
	}
}

// TestAcceptedWithinASecond: likewise a process that has accepted another configuration. The member cannot go on with
// the one before: whoever loads the manifest could not follow what it publishes.
func TestAcceptedWithinASecond(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	s.MustRun(t)
	other := *s
	other.Dir = t.TempDir()
	other.Config.ModelConfig.Decode.SkipUnknown, other.Config.Accept = true, []string{stops.ConfigDiffers}
	b := takeoverBetween(t, s, func() {
		other.MustRun(t)
		s.Cluster.Produce(t, s.Name, 0, `{"label":1,"features":{"x":1,"y":[true]}}`)
	})
	streamtest.Await(t, "the end", func() bool {
		if b.Status().State == board.Live {
			t.Fatal("it predicts under the configuration before")
		}
		return len(b.ended) > 0
	})
	if err := <-b.ended; !stops.Is(err, stops.ConfigDiffers) {
		t.Errorf("it ended with %v", err)
	}
	other.Config.Accept = nil
	if st := other.MustRun(t).Status(); st.Epoch != 3 || st.Seq != 11 || len(st.Counts.Rejected) > 0 {
		t.Errorf("epoch %d, seq %d, rejected %v", st.Epoch, st.Seq, st.Counts.Rejected)
	}
}

// TestStartedWithinASecond: a start that has loaded its checkpoint before another process took over, under another
// bound of settled ids, follows what that has published.
func TestStartedWithinASecond(t *testing.T) {
	t.Parallel()
	s := withTopic(t, lateSetup(t, 1, 1, 1))
	s.Config.Labels.Settled = 100
	begin := time.Now().Add(-time.Hour)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 5)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(10*time.Second), labelsOf(0, 1, 2, 3, 4)...)...)
	s.MustRun(t)
	other, labels := *s, *s.Config.Labels
	other.Dir, other.Config.Labels = t.TempDir(), &labels
	labels.Settled = 2
	var once sync.Once
	s.Adjust = func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal, takeover: func(context.Context, int) error {
			once.Do(func() {
				s.Cluster.ProduceRecords(t, s.Name, 0, at(begin.Add(time.Minute), unlabelled(0, 1)...)...)
				if st := other.MustRun(t).Status(); st.Counts.Labels.Outcomes["duplicate"] > 0 || st.Epoch != 2 {
					t.Errorf("epoch %d, outcomes %v", st.Epoch, st.Counts.Labels.Outcomes)
				}
			})
			return nil
		}}
	}
	if st := s.MustRun(t).Status(); st.Epoch != 3 || st.Seq != 11 {
		t.Errorf("epoch %d, seq %d", st.Epoch, st.Seq)
	}
	auditLate(t, s)
}

// TestFullDiskBehindATakeover: a process with another bound has saved in the topic, and published nothing. A member
// that cannot put that checkpoint into its folder has an epoch of its own; and it publishes nothing before it saves.
func TestFullDiskBehindATakeover(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	s.MustRun(t)
	here, other := s.Dir, *s
	other.Dir = t.TempDir()
	if st := other.MustRun(t).Status(); st.Epoch != 2 {
		t.Fatalf("epoch %d", st.Epoch)
	}
	s.Adjust = fullAfter(0)
	b := member(t, s, here)
	b.await(t, board.Following, 10)
	b.rounds <- 1
	if err := endOf(t, b); !stops.Is(err, stops.StateUnwritable) || !strings.Contains(err.Error(), "of epoch 3 ") {
		t.Errorf("it ended with %v", err)
	}
}

// endOf waits for the end of a member that must not predict.
func endOf(t *testing.T, b *standby) error {
	t.Helper()
	streamtest.Await(t, "the end", func() bool {
		if b.Status().State == board.Live {
			t.Fatal("it predicts")
		}
		return len(b.ended) > 0
	})
	return <-b.ended
}

// TestFullDiskUnderAnotherBound: a process with another bound of settled ids has published, too. A member could not put
// its checkpoint into the folder, and has learned its entries from the one before, under its own bound, of which they
// say nothing. The topic must have that before it publishes: others go on from there.
func TestFullDiskUnderAnotherBound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ heals, shorter bool }{
		"full": {false, false}, "heals": {true, false}, "heals and shorter": {true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := withTopic(t, lateSetup(t, 1, 1, 1))
			s.Config.Labels.Settled, s.Config.CheckpointInterval = 100, time.Hour
			begin := time.Now().Add(-time.Hour)
			produce := func(topic string, second int, records ...string) {
				s.Cluster.ProduceRecords(t, topic, 0, at(begin.Add(time.Duration(second)*time.Second), records...)...)
			}
			produce(s.Name, 0, unlabelled(0, 5)...)
			produce(s.Kafka.Labels, 10, labelsOf(0, 1, 2, 3, 4)...)
			s.MustRun(t)
			other, labels := *s, *s.Config.Labels
			other.Dir, other.Config.Labels, labels.Settled = t.TempDir(), &labels, 2
			if c.shorter {
				labels.Wait = 5000 // two examples expire
			}
			produce(s.Name, 20, unlabelled(10, 12)...)
			produce(s.Kafka.Labels, 30, labelsOf(0)...)
			seq := other.MustRun(t).Status().Seq

			left := new(atomic.Int64)
			s.Adjust = func(task *stream.Task) { task.Store.FS = diskFS{task.Store.FS, left} }
			b := member(t, s, s.Dir)
			b.await(t, board.Following, seq)
			if c.heals {
				left.Store(1 << 30)
			}
			b.rounds <- 1
			if !c.heals {
				if err := endOf(t, b); !stops.Is(err, stops.StateUnwritable) {
					t.Errorf("it ended with %v", err)
				}
				return
			}
			b.await(t, board.Live, seq)
			produce(s.Name, 40, unlabelled(0, 1)...) // its id is known by the bound of 100 alone
			b.await(t, board.Live, seq+2)
			third := *s
			third.Adjust, third.Dir = nil, t.TempDir()
			if st := third.MustRun(t).Status(); st.Seq != seq+2 || st.Counts.Labels.Outcomes["duplicate"] != 1 {
				t.Errorf("seq %d, %v", st.Seq, st.Counts.Labels.Outcomes)
			}
			verifiedByEver(t, &third)
		})
	}
}

// TestSavedAndDeletedWithinASecond: a process saves, after its successor has loaded a checkpoint, what has no entry,
// and retention removes that. The successor loads again.
func TestSavedAndDeletedWithinASecond(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Config.ModelConfig.Decode.Tombstones = event.SkipTombstones
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	w := member(t, s, t.TempDir())
	w.rounds <- 1
	streamtest.Await(t, "a checkpoint", func() bool { return w.Status().Saved.Seq == 10 })
	var once sync.Once
	s.Adjust = func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal, takeover: func(context.Context, int) error {
			once.Do(func() {
				s.Cluster.ProduceRecords(t, s.Name, 0, make([]kafka.Record, 5)...)
				streamtest.Await(t, "the nulls are passed", func() bool { return w.Status().Counts.Tombstones == 5 })
				w.stop()
				if err := <-w.ended; err != nil {
					t.Error(err)
				}
				s.Cluster.DeleteRecords(t, s.Name, 0, 15)
			})
			return nil
		}}
	}
	if st := s.MustRun(t).Status(); st.Seq != 10 || st.Partitions[0].Position != 15 {
		t.Errorf("seq %d, position %d", st.Seq, st.Partitions[0].Position)
	}
}
