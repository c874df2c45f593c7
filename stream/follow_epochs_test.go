package stream_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rs/zerolog"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/verify"
)

// TestEpochOfDeadLetters: a takeover that has left dead letters alone has an epoch of its own, though the next one goes
// on from a checkpoint of before it. If that one changes the configuration, verify knows under which each was decided.
func TestEpochOfDeadLetters(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	s.MustRun(t)
	old := copied(t, s.Dir)
	s.Cluster.Produce(t, s.Name, 0, `{"label":1,"features":{"x":1,"y":[true]}}`)
	if st := s.MustRun(t).Status(); st.Epoch != 2 || st.Counts.Rejected["bad-features"] != 1 {
		t.Fatalf("epoch %d, rejected %v", st.Epoch, st.Counts.Rejected)
	}
	s.Dir = old
	s.Config.ModelConfig.Decode.SkipUnknown = true
	s.Config.Accept = []string{stops.ConfigDiffers}
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	if st := s.MustRun(t).Status(); st.Epoch != 3 || st.Seq != 20 {
		t.Errorf("epoch %d, seq %d", st.Epoch, st.Seq)
	}
	h, _ := headerOf(t, s)
	p, err := model.NewProcessor(s.Config.ModelConfig)
	if err != nil {
		t.Fatal(err)
	}
	from := verify.Start{Processor: p, Config: h.Config, Configured: h.Accepted[0].Epoch}
	found, err := verify.Audit{Log: s.Client(t), Model: s.Name, From: from}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found.Findings {
		t.Errorf("%+v", f)
	}
}

// TestEpochOfAManifest: a takeover that has left a checkpoint in the topic alone has an epoch of its own, though it was
// not there when the next process loaded one.
func TestEpochOfAManifest(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	s.MustRun(t)
	here, other := s.Dir, *s
	other.Dir = t.TempDir()
	var once sync.Once
	s.Adjust = func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal, takeover: func(context.Context, int) error {
			once.Do(func() {
				if st := other.MustRun(t).Status(); st.Epoch != 2 {
					t.Errorf("epoch %d", st.Epoch)
				}
			})
			return nil
		}}
	}
	s.Dir = here
	if st := s.MustRun(t).Status(); st.Epoch != 3 {
		t.Errorf("epoch %d after 2", st.Epoch)
	}
}

// TestFollowWriterWithoutEntries: a follower loads the checkpoint of another epoch when that has left dead letters, or
// a checkpoint in the topic, and no entry: its takeover may have accepted a stop.
func TestFollowWriterWithoutEntries(t *testing.T) {
	t.Parallel()
	for name, letter := range map[string]bool{"manifest": false, "dead letter": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
			s.Cluster.Produce(t, s.Name, 0, good(10)...)
			s.MustRun(t)
			log, f := &lines{text: "loading the newest checkpoint again"}, *s
			f.Log = zerolog.New(log)
			b := member(t, &f, t.TempDir())
			b.await(t, board.Following, 10)
			other := *s
			other.Dir = copied(t, s.Dir)
			if letter {
				other.State = "" // it saves in its folder alone
				s.Cluster.Produce(t, s.Name, 0, "{")
			}
			other.MustRun(t)
			streamtest.Await(t, "the other epoch", func() bool {
				st := b.Status()
				return st.State == board.Following && st.Epoch == 2
			})
			if n := log.n.Load(); n != 1 {
				t.Errorf("it loaded a checkpoint %d times", n)
			}
			b.rounds <- 1
			b.await(t, board.Live, 10)
			if st := b.Status(); st.Epoch != 3 {
				t.Errorf("epoch %d after 2", st.Epoch)
			}
		})
	}
}

// unreadTopic is a checkpoint topic that is not read for a time.
type unreadTopic struct {
	statetopic.Log
	unread  atomic.Bool
	release chan struct{}
}

func (l *unreadTopic) Bounds(ctx context.Context) (from, to int64, err error) {
	if l.unread.Load() {
		select {
		case <-l.release:
		case <-ctx.Done():
			return 0, 0, ctx.Err()
		}
	}
	return l.Log.Bounds(ctx)
}

// TestFirstWriterOfALowerEpoch: a follower whose folder has an epoch that did not reach the topic loads the first
// checkpoint of the topic, though a member with an empty folder has begun with epoch 1: that is known by its checkpoint
// or by an entry, whichever is read first.
func TestFirstWriterOfALowerEpoch(t *testing.T) {
	t.Parallel()
	for name, entries := range map[string]int64{"checkpoint": 0, "entry": 10} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
			alone := *s
			alone.State = ""
			for epoch := range int64(3) {
				if st := alone.MustRun(t).Status(); st.Epoch != epoch+1 {
					t.Fatalf("epoch %d", st.Epoch)
				}
			}
			topic, follower := &unreadTopic{release: make(chan struct{})}, *s
			log := &lines{text: "loading the newest checkpoint again"}
			follower.Log = zerolog.New(log)
			follower.Adjust = func(task *stream.Task) { topic.Log, task.Checkpoints = task.Checkpoints, topic }
			b := member(t, &follower, alone.Dir)
			b.await(t, board.Following, 0)
			topic.unread.Store(entries > 0)
			s.Cluster.Produce(t, s.Name, 0, good(int(entries))...)
			a := member(t, s, t.TempDir())
			a.rounds <- 1
			a.await(t, board.Live, entries)
			if st := a.Status(); st.Epoch != 1 {
				t.Fatalf("epoch %d", st.Epoch)
			}
			streamtest.Await(t, "a checkpoint is looked for", func() bool { return log.n.Load() > 0 })
			close(topic.release)
			streamtest.Await(t, "the checkpoint is loaded", func() bool {
				st := b.Status()
				return st.State == board.Following && st.Epoch == 1 && st.Seq == entries
			})
			b.rounds <- 2
			b.await(t, board.Live, entries)
			if st := b.Status(); st.Epoch != 4 {
				t.Errorf("epoch %d after 1 in the topic and 3 in the folder", st.Epoch)
			}
		})
	}
}

// TestFolderOfEqualSeq: a takeover whose checkpoint reached its folder alone, and that published nothing, is given up
// for the checkpoint of the same seq in the topic. The next one has an epoch of its own.
func TestFolderOfEqualSeq(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	s.MustRun(t)
	alone := *s
	alone.State, alone.Dir = "", copied(t, s.Dir)
	if st := alone.MustRun(t).Status(); st.Epoch != 2 {
		t.Fatalf("epoch %d", st.Epoch)
	}
	log := &lines{text: "restored from the checkpoint topic"}
	s.Dir, s.Log = alone.Dir, zerolog.New(log)
	if st := s.MustRun(t).Status(); st.Epoch != 3 || log.n.Load() != 1 {
		t.Errorf("epoch %d, restored %d times", st.Epoch, log.n.Load())
	}
	s.MustRun(t)
	if n := log.n.Load(); n != 1 {
		t.Errorf("its own was restored: %d", n)
	}
}
