package stream_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// deniedLog is a cluster that denies what was allowed, from a time on.
type deniedLog struct {
	topics.Log
	denied *atomic.Bool
}

func (l deniedLog) Written(ctx context.Context) (topics.Ends, error) {
	if l.denied.Load() {
		return topics.Ends{}, &stops.Error{Name: stops.NotAllowed, What: "the cluster denies access"}
	}
	return l.Log.Written(ctx)
}

// lines are those of a log with a text.
type lines struct {
	text string
	n    atomic.Int32
}

func (l *lines) Write(line []byte) (int, error) {
	if strings.Contains(string(line), l.text) {
		l.n.Add(1)
	}
	return len(line), nil
}

// TestFollowerDenied: a follower that a broker refuses says so, once a minute, and goes on when that is over.
func TestFollowerDenied(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	produceTo(t, s, 1, 50, 1)
	s.MustRun(t)
	var denied atomic.Bool
	log := &lines{text: "the cluster denies access"}
	s.Wrap = func(l topics.Log) topics.Log { return deniedLog{l, &denied} }
	s.Log = zerolog.New(log)
	b := member(t, s, copied(t, s.Dir))
	b.await(t, board.Following, 49)
	denied.Store(true)
	streamtest.Await(t, "a line", func() bool { return log.n.Load() > 0 })
	denied.Store(false)
	since := time.Now()
	streamtest.Await(t, "a look", func() bool { return b.Status().FollowedAt.After(since) })
	if n := log.n.Load(); n != 1 {
		t.Errorf("%d lines", n)
	}
}

// TestBegunByOthers: where a model starts is what the first checkpoint says, though a process that had not found it has
// determined another place meanwhile.
func TestBegunByOthers(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	produceTo(t, s, 1, 50, 1)
	here, there := s.Dir, t.TempDir()
	var once sync.Once
	s.Adjust = func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal, takeover: func(context.Context, int) error {
			once.Do(func() {
				s.Adjust, s.Dir, s.Config.Start = nil, there, []int64{50}
				s.MustRun(t)
			})
			return nil
		}}
	}
	s.Config.Start = []int64{0}
	s.Dir = here
	if st := s.MustRun(t).Status(); st.Counts.Read != 0 {
		t.Errorf("read %d from the place of its own", st.Counts.Read)
	}
}

// hookLog calls topology before it asks for the topics.
type hookLog struct {
	topics.Log
	topology func() error
}

func (l hookLog) Topology(ctx context.Context) (*topics.Topology, error) {
	if err := l.topology(); err != nil {
		return nil, err
	}
	return l.Log.Topology(ctx)
}

// TestBegunWhileLoading: a member that found the checkpoint topic empty, and then the predictions of another one that
// has begun the model meanwhile, follows that.
func TestBegunWhileLoading(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	produceTo(t, s, 1, 50, 1)
	s.Config.Start = []int64{0}
	own := *s
	a := member(t, s, s.Dir)
	var calls atomic.Int32
	own.Wrap = func(l topics.Log) topics.Log {
		return hookLog{l, func() error {
			if calls.Add(1) == 2 { // once before it reads the checkpoint topic, once behind that
				a.rounds <- 1
				a.await(t, board.Live, 49)
			}
			return nil
		}}
	}
	member(t, &own, t.TempDir()).await(t, board.Following, 49)
}

// TestTopicNewToABroker: brokers learn of a new topic one after the other.
func TestTopicNewToABroker(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, events(1, 10)...)
	s.Adjust = func(task *stream.Task) { task.Prepare = func(context.Context) error { return nil } }
	calls := 0
	s.Wrap = func(l topics.Log) topics.Log {
		return hookLog{l, func() error {
			if calls++; calls < 3 {
				return &stops.Error{Name: stops.TopicMissing}
			}
			return nil
		}}
	}
	if st := s.MustRun(t).Status(); st.Counts.Read != 10 {
		t.Errorf("read %d", st.Counts.Read)
	}
}

// TestPlannedNewToABroker: a topic of the checkpoint that a broker has not heard of yet is not missing.
func TestPlannedNewToABroker(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, events(1, 10)...)
	s.MustRun(t)
	calls := 0
	s.Adjust = func(task *stream.Task) {
		task.Planned = func(ctx context.Context) (*topics.Topology, error) {
			if calls++; calls == 3 {
				return nil, nil
			}
			top, err := task.Log.Topology(ctx)
			if err == nil {
				top.Output = topics.TopicState{Name: top.Output.Name, Planned: true, RetentionMS: -1,
					Partitions: make([]topics.Bounds, 1)}
			}
			return top, err
		}
	}
	if st := s.MustRun(t).Status(); st.Epoch != 2 || calls != 3 {
		t.Errorf("epoch %d after %d looks", st.Epoch, calls)
	}
}

// TestFollowDeadLetterOfAdded: a dead letter of a partition that a follower does not know yet is not passed over, where
// the topics that are written had the partition before.
func TestFollowDeadLetterOfAdded(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.AddPartitions(t, s.Output(), 2)
	s.Cluster.AddPartitions(t, s.DeadLetters(), 2)
	f := *s
	s.Config.WatchEvery, f.Config.WatchEvery = 20*time.Millisecond, time.Hour
	a, b := member(t, s, s.Dir), member(t, &f, t.TempDir())
	a.rounds <- 1
	a.await(t, board.Live, 0)
	b.await(t, board.Following, 0)
	s.Cluster.AddPartitions(t, s.Name, 2)
	s.Cluster.Produce(t, s.Name, 1, "{")
	for _, m := range []*standby{a, b} {
		streamtest.Await(t, "the dead letter", func() bool { return m.Status().Counts.Rejected["syntax"] == 1 })
	}
}
