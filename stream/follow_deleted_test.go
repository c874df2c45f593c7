package stream_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/segmentio/kafka-go"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// quick gives a setup a checkpoint topic in which it saves at once.
func quick(t *testing.T, s *streamtest.Setup) *streamtest.Setup {
	t.Helper()
	s.Config.CheckpointInterval = 10 * time.Millisecond
	return withTopic(t, s)
}

// at waits until a member's positions in a topic are so.
func (m *standby) at(t testing.TB, topic topics.Topic, want ...int64) {
	t.Helper()
	streamtest.Await(t, "the positions", func() bool {
		select {
		case err := <-m.ended:
			t.Fatalf("the member ended: %v", err)
		default:
		}
		st := m.Status()
		positions := st.Partitions
		if topic == topics.Labels {
			if st.Late == nil {
				return false
			}
			positions = st.Late.Partitions
		}
		if len(positions) != len(want) {
			return false
		}
		for p, at := range want {
			if positions[p].Position != at {
				return false
			}
		}
		return true
	})
}

// saved waits until what the member has is in the checkpoint topic, and returns the number of the manifest.
func (m *standby) saved(t testing.TB, above int64) (number int64) {
	t.Helper()
	streamtest.Await(t, "a manifest", func() bool {
		if in := m.Status().Saved.Topic; in != nil {
			number = in.Number
		}
		return number > above
	})
	return number
}

// end stops a member, which ends without an error.
func (m *standby) end(t testing.TB) {
	t.Helper()
	m.stop()
	if err := <-m.ended; err != nil {
		t.Fatal(err)
	}
}

// TestFollowWhatHasNoEntry: a follower's positions pass markers, aborted records, skipped tombstones and dead letters
// behind them, as the writer's do, and it takes over when retention has removed all that. It needs no other checkpoint.
func TestFollowWhatHasNoEntry(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		produce  func(*testing.T, *streamtest.Setup)
		position int64
		seq      int64
	}{
		"marker": {func(t *testing.T, s *streamtest.Setup) {
			s.Cluster.OpenTransaction(t, s.Name, 0, good(10)...)(true)
		}, 11, 10},
		"aborted": {func(t *testing.T, s *streamtest.Setup) {
			s.Cluster.Produce(t, s.Name, 0, good(10)...)
			s.Cluster.OpenTransaction(t, s.Name, 0, good(2)...)(false)
		}, 13, 10},
		"aborted alone": {func(t *testing.T, s *streamtest.Setup) {
			s.Cluster.OpenTransaction(t, s.Name, 0, good(2)...)(false)
		}, 3, 0},
		"tombstones": {func(t *testing.T, s *streamtest.Setup) {
			s.Cluster.Produce(t, s.Name, 0, good(10)...)
			s.Cluster.ProduceRecords(t, s.Name, 0, kafka.Record{}, kafka.Record{}, kafka.Record{})
		}, 13, 10},
		"dead letters": {func(t *testing.T, s *streamtest.Setup) {
			s.Cluster.Produce(t, s.Name, 0, good(10)...)
			s.Cluster.OpenTransaction(t, s.Name, 0, "{", "{")(true)
			s.Cluster.Produce(t, s.Name, 0, "{")
			s.Cluster.ProduceRecords(t, s.Name, 0, kafka.Record{})
		}, 15, 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := quick(t, streamtest.New(t, streamtest.Start(t), 1))
			s.Config.ModelConfig.Decode.Tombstones = event.SkipTombstones
			a := member(t, s, s.Dir)
			a.rounds <- 1
			a.await(t, board.Live, 0)
			log, f := &lines{text: "loading the newest checkpoint again"}, *s
			f.Log = zerolog.New(log)
			b := member(t, &f, t.TempDir())
			b.await(t, board.Following, 0)
			loaded := log.n.Load()
			c.produce(t, s)
			a.at(t, topics.Input, c.position)
			b.at(t, topics.Input, c.position)
			if x, y := a.Status().Counts, b.Status().Counts; x.Tombstones != y.Tombstones || x.Read != y.Read {
				t.Errorf("the writer has counted %+v, the follower %+v", x, y)
			}
			a.end(t)
			s.Cluster.DeleteRecords(t, s.Name, 0, c.position)
			b.rounds <- 2
			b.await(t, board.Live, c.seq)
			s.Cluster.Produce(t, s.Name, 0, good(5)...)
			b.await(t, board.Live, c.seq+5)
			if n := log.n.Load() - loaded; n > 0 {
				t.Errorf("it loaded a checkpoint %d times", n)
			}
			b.saved(t, 0)
			d := member(t, s, t.TempDir())
			d.await(t, board.Following, c.seq+5)
			if b.sum(t) != d.sum(t) {
				t.Error("they have different models")
			}
		})
	}
}

// stalledInput is an input of which nothing is read while it is stalled.
type stalledInput struct {
	topics.Log
	turns atomic.Int64 // odd while it is stalled
	hook  func()       // after the topics were asked for; may be nil
}

// stall is followed by resume. What a reader that waits at the end gets after it is not read.
func (l *stalledInput) stall() { l.turns.Add(1) }

// resume may be called again.
func (l *stalledInput) resume() {
	if turns := l.turns.Load(); turns%2 == 1 {
		l.turns.Store(turns + 1)
	}
}

func (l *stalledInput) Topology(ctx context.Context) (*topics.Topology, error) {
	top, err := l.Log.Topology(ctx)
	if l.hook != nil {
		l.hook()
	}
	return top, err
}

func (l *stalledInput) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	r := l.Log.Open(topic, partition, from)
	if topic != topics.Input {
		return r
	}
	return &stalledReader{r, l, partition}
}

type stalledReader struct {
	topics.Reader
	of        *stalledInput
	partition int32
}

func (r *stalledReader) Read(ctx context.Context, run *topics.Run, most int) error {
	next, turns := run.Next, r.of.turns.Load()
	for ; turns%2 == 1; turns = r.of.turns.Load() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
	err := r.Reader.Read(ctx, run, most)
	if r.of.turns.Load() != turns { // it waited at the end when this began, which may be over
		run.Reset(run.Partition, next)
		r.Reader = r.of.Log.Open(topics.Input, r.partition, next)
	}
	return err
}

// behind is a writer that has ended, and a follower whose position is below the start of the log: what was deleted had
// no entry, and it has not read that.
func behind(t *testing.T, adjust func(*stream.Task)) (
	s *streamtest.Setup, b *standby, log *stalledInput, number int64,
) {
	t.Helper()
	s = quick(t, streamtest.New(t, streamtest.Start(t), 1))
	log = &stalledInput{}
	f := *s
	f.Config.CheckpointInterval = time.Hour // a session saves first after a second
	f.Adjust, f.Wrap = adjust, func(l topics.Log) topics.Log { log.Log = l; return log }
	a := member(t, s, s.Dir)
	a.rounds <- 1
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	a.await(t, board.Live, 10)
	streamtest.Await(t, "a checkpoint", func() bool {
		saved := a.Status().Saved
		return saved.Seq == 10 && saved.Topic != nil
	})
	b = member(t, &f, t.TempDir()) // it has a checkpoint of that seq
	b.at(t, topics.Input, 10)
	log.stall()
	before := a.saved(t, 0)
	s.Cluster.OpenTransaction(t, s.Name, 0, good(1)...)(false)
	a.at(t, topics.Input, 12)
	number = a.saved(t, before)
	a.end(t)
	return s, b, log, number
}

// TestTakeoverBelowTheLogsStart: a member that takes over with a position below the start of the log loads the newest
// checkpoint, which does not need what was deleted.
func TestTakeoverBelowTheLogsStart(t *testing.T) {
	t.Parallel()
	s, b, log, _ := behind(t, nil)
	s.Cluster.DeleteRecords(t, s.Name, 0, 12)
	b.rounds <- 2
	b.await(t, board.Live, 10)
	log.resume()
	s.Cluster.Produce(t, s.Name, 0, good(5)...)
	b.await(t, board.Live, 15)
}

// TestFullDiskBelowTheLogsStart: where the newest checkpoint of the topic cannot be put into the folder, that is the
// stop: accepting a loss would lose what is not lost.
func TestFullDiskBelowTheLogsStart(t *testing.T) {
	t.Parallel()
	var full atomic.Bool
	s, b, _, _ := behind(t, func(task *stream.Task) {
		task.Store.FS = stoppingFS{task.Store.FS, func() error {
			if full.Load() {
				return errDisk
			}
			return nil
		}}
	})
	full.Store(true)
	s.Cluster.DeleteRecords(t, s.Name, 0, 12)
	b.rounds <- 2
	if err := <-b.ended; !stops.Is(err, stops.StateUnwritable) {
		t.Fatalf("%v, want %s", err, stops.StateUnwritable)
	}
}

// TestStopBeforeTheFirstEntry: a member whose position is gone as soon as it is live leaves the checkpoint topic as it
// is, so that others can start from there.
func TestStopBeforeTheFirstEntry(t *testing.T) {
	t.Parallel()
	s, b, log, number := behind(t, nil)
	log.hook = func() { // behind the fence
		s.Cluster.DeleteRecords(t, s.Name, 0, 12)
		log.resume()
	}
	b.rounds <- 2
	if err := <-b.ended; !stops.Is(err, stops.InputGone) {
		t.Fatalf("%v, want %s", err, stops.InputGone)
	}
	if in := b.Status().Saved.Topic; in != nil {
		t.Errorf("it saved manifest %d after %d", in.Number, number)
	}
	c := member(t, s, t.TempDir())
	c.rounds <- 3
	c.await(t, board.Live, 10)
}
