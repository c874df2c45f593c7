package stream_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/segmentio/kafka-go"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// overseen is a writer with a follower that has learned ten events of each of two partitions.
type overseen struct {
	*streamtest.Setup
	writer, follower *standby
	told             *lines      // that nobody predicts
	part             atomic.Bool // the writer writes the first batch of a flight, and ends
	unreachable      atomic.Bool // nobody who leads the input responds to the follower
}

func newOverseen(t *testing.T) *overseen {
	t.Helper()
	x := &overseen{Setup: quick(t, streamtest.New(t, streamtest.Start(t), 2))}
	x.Config.ModelConfig.Decode.Tombstones = event.SkipTombstones
	x.Adjust = func(task *stream.Task) { task.Journal = &parted{task.Journal, x} }
	x.writer = member(t, x.Setup, x.Dir)
	x.writer.rounds <- 1
	x.writer.await(t, board.Live, 0)
	x.Adjust = func(task *stream.Task) { task.Log = &unreachable{task.Log, x} }
	log := x.Log
	x.told = &lines{text: "nobody predicts"}
	x.Log = zerolog.New(x.told)
	x.follower = member(t, x.Setup, t.TempDir())
	x.Adjust, x.Log = nil, log
	x.follower.await(t, board.Following, 0)
	x.produce(t, 10)
	x.writer.await(t, board.Live, 20)
	x.follower.await(t, board.Following, 20)
	x.follower.looks(t, 300*time.Millisecond)
	return x
}

func (x *overseen) produce(t *testing.T, n int) {
	t.Helper()
	for p := range 2 {
		x.Cluster.Produce(t, x.Name, p, good(n)...)
	}
}

// kill ends the writer as kill -9 does, as far as others see.
func (x *overseen) kill(t *testing.T) {
	t.Helper()
	x.part.Store(true)
	x.writer.stop()
	<-x.writer.ended
}

// looks waits until the follower has looked for so long, and forgets for how long work had waited before.
func (m *standby) looks(t *testing.T, long time.Duration) {
	t.Helper()
	m.waited.Store(0)
	from := time.Now()
	streamtest.Await(t, "looks", func() bool { return m.Status().FollowedAt.After(from.Add(long)) })
}

// parted is a journal of a writer that dies within a flight.
type parted struct {
	topics.Journal
	x *overseen
}

func (j *parted) Append(ctx context.Context, batches []topics.Batch) error {
	if !j.x.part.Load() {
		return j.Journal.Append(ctx, batches)
	}
	if err := j.Journal.Append(ctx, batches[:1]); err != nil {
		return err
	}
	return errPlug
}

type unreachable struct {
	topics.Log
	x *overseen
}

func (l *unreachable) Reachable(ctx context.Context) error {
	if l.x.unreachable.Load() {
		return errors.New("no leader")
	}
	return l.Log.Reachable(ctx)
}

// TestFollowSeesSilence: work that nobody does waits in the eyes of a follower, behind a part of a flight too.
func TestFollowSeesSilence(t *testing.T) {
	t.Parallel()
	for name, die := range map[string]func(*testing.T, *overseen){
		"killed": func(t *testing.T, x *overseen) {
			x.kill(t)
			x.produce(t, 3)
		},
		"killed within a flight": func(t *testing.T, x *overseen) {
			x.part.Store(true)
			x.produce(t, 3)
			if err := <-x.writer.ended; !errors.Is(err, errPlug) {
				t.Fatal(err)
			}
		},
		"one partition has work": func(t *testing.T, x *overseen) {
			x.kill(t)
			x.Cluster.Produce(t, x.Name, 1, good(1)...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newOverseen(t)
			die(t, x)
			x.follower.waited.Store(0)
			streamtest.Await(t, "silence", func() bool {
				return time.Duration(x.follower.waited.Load()) >= 500*time.Millisecond
			})
			if st := x.follower.Status(); st.Suspicion != nil || st.Silence == nil {
				t.Errorf("suspicion %+v, silence %+v", st.Suspicion, st.Silence)
			}
			streamtest.Await(t, "a line in the log", func() bool { return x.told.n.Load() == 1 })
			x.follower.rounds <- 2
			streamtest.Await(t, "live", func() bool { return x.follower.Status().State == board.Live })
			if st := x.follower.Status(); st.Takeovers[board.Silent] != 1 || st.Silence != nil {
				t.Errorf("takeovers %v, silence %+v", st.Takeovers, st.Silence)
			}
		})
	}
}

// TestFollowSilenceBehindACheckpoint: a follower has loaded the checkpoint of a writer because of its epoch, and that
// has all its entries. The writer is gone.
func TestFollowSilenceBehindACheckpoint(t *testing.T) {
	t.Parallel()
	s := withTopic(t, quick(t, streamtest.New(t, streamtest.Start(t), 1)))
	b := member(t, s, t.TempDir())
	b.await(t, board.Following, 0)
	s.Cluster.Produce(t, s.Name, 0, good(1)...)
	s.MustRun(t)
	b.await(t, board.Following, 1)
	s.Cluster.Produce(t, s.Name, 0, good(1)...)
	streamtest.Await(t, "silence", func() bool {
		return time.Duration(b.waited.Load()) >= 500*time.Millisecond
	})
}

// TestFollowNoEvidence: what is no work that somebody ought to do does not wait.
func TestFollowNoEvidence(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*testing.T, *overseen){
		"tombstones and markers": func(t *testing.T, x *overseen) {
			x.Cluster.OpenTransaction(t, x.Name, 0, "{")(false)
			x.Cluster.ProduceRecords(t, x.Name, 0, kafka.Record{}, kafka.Record{})
			x.writer.at(t, topics.Input, 14, 10)
		},
		"dead letters": func(t *testing.T, x *overseen) {
			x.Cluster.Produce(t, x.Name, 1, "{", "{")
			x.writer.at(t, topics.Input, 10, 12)
		},
		"an open transaction": func(t *testing.T, x *overseen) {
			end := x.Cluster.OpenTransaction(t, x.Name, 0, good(3)...)
			t.Cleanup(func() { end(true) })
		},
		"a writer begins": func(t *testing.T, x *overseen) {
			x.kill(t)
			if _, err := x.Task(t).Journal.Takeover(t.Context(), topics.NoProducer); err != nil {
				t.Fatal(err)
			}
			x.follower.looks(t, 300*time.Millisecond) // which find the markers
			x.produce(t, 3)
		},
		"no entry of its epoch": func(t *testing.T, x *overseen) {
			x.kill(t)
			x.follower.stop()
			<-x.follower.ended
			x.MustRun(t)
			x.follower = member(t, x.Setup, t.TempDir())
			x.follower.await(t, board.Following, 20)
			x.produce(t, 3)
		},
		"a leader does not answer": func(t *testing.T, x *overseen) {
			x.unreachable.Store(true)
			x.kill(t)
			x.produce(t, 3)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newOverseen(t)
			prepare(t, x)
			x.follower.looks(t, 300*time.Millisecond)
			x.follower.looks(t, time.Second)
			if waited := time.Duration(x.follower.waited.Load()); waited > 0 {
				t.Errorf("work has waited for %v", waited)
			}
			if silence := x.follower.Status().Silence; silence != nil && x.writer.Status().State == board.Live {
				t.Errorf("nobody seems to predict: %+v", silence)
			}
		})
	}
}

// TestFollowEpochsAtOnce: a follower loads a checkpoint because of another epoch at once, however many there were: the
// next death meets somebody who is warm.
func TestFollowEpochsAtOnce(t *testing.T) {
	t.Parallel()
	s := quick(t, streamtest.New(t, streamtest.Start(t), 1))
	b := member(t, s, t.TempDir())
	b.await(t, board.Following, 0)
	for n := int64(1); n <= 10; n++ {
		s.Cluster.Produce(t, s.Name, 0, good(1)...)
		s.MustRun(t)
		late := streamtest.Timeout(t, 6*time.Second)
		b.await(t, board.Following, n)
		if late.Err() != nil {
			t.Fatalf("it follows the writer of epoch %d after more than 6 s", n)
		}
	}
}
