package stream_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/state"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// memberSettings are the settings of a task that members need not share (PROTOCOL.md, "Settings that members need not
// share"), each changed to what decides something else about the records of TestMemberSettings, if it decides anything.
var memberSettings = []struct {
	name   string
	change func(t *testing.T, s *streamtest.Setup)
	shows  func(map[journal.Kind]int) bool // what it has decided; nil: nothing is decided by it
}{
	{"settled-ids", func(_ *testing.T, s *streamtest.Setup) { s.Config.Labels.Settled = 2 },
		func(n map[journal.Kind]int) bool { return n[journal.DuplicateID] == 0 }},
	{"more settled-ids", func(_ *testing.T, s *streamtest.Setup) { s.Config.Labels.Settled = 1 << 20 }, nil},
	{"label-wait", func(_ *testing.T, s *streamtest.Setup) { s.Config.Labels.Wait = 2000 },
		func(n map[journal.Kind]int) bool { return n[journal.Expired] > 0 }},
	{"waiting-examples", func(_ *testing.T, s *streamtest.Setup) { s.Config.Labels.Examples = 3 },
		func(n map[journal.Kind]int) bool { return n[journal.Evicted] > 0 }},
	{"labels-idle", func(_ *testing.T, s *streamtest.Setup) {
		s.Config.Labels.Idle, s.Config.Labels.Wait = time.Millisecond, 33_000 // label time alone ends none by then
	},
		func(n map[journal.Kind]int) bool { return n[journal.Expired] > 0 }},
	{"label-slack", func(_ *testing.T, s *streamtest.Setup) { s.Config.Labels.Slack = 0 }, nil},
	{"max.message.bytes", func(t *testing.T, s *streamtest.Setup) {
		for _, topic := range []string{s.Output(), s.Kafka.Outcomes} {
			s.Cluster.SetConfig(t, topic, "max.message.bytes", "400")
		}
	}, nil},
	{"chunk-records", func(_ *testing.T, s *streamtest.Setup) { s.Config.BatchRecords = 1 }, nil},
	{"waiting-memory", func(_ *testing.T, s *streamtest.Setup) { s.Config.Labels.Memory = 1 }, nil},
	{"decoders", func(_ *testing.T, s *streamtest.Setup) { s.Config.Decoders = 1 }, nil},
	{"compression", func(t *testing.T, s *streamtest.Setup) {
		var err error
		if s.Kafka.Codec, err = recordbatch.ParseCodec("gzip"); err != nil {
			t.Fatal(err)
		}
	}, nil},
	{"checkpoint-interval", func(_ *testing.T, s *streamtest.Setup) {
		s.Config.CheckpointInterval = 5 * time.Millisecond
	}, nil},
	{"checkpoint-every", func(_ *testing.T, s *streamtest.Setup) { s.Config.CheckpointEvery = 1 }, nil},
}

// closedTopic is a checkpoint topic that takes nothing from a time on.
type closedTopic struct {
	statetopic.Log
	closed *atomic.Bool
}

func (l closedTopic) Append(ctx context.Context, b *recordbatch.Builder) error {
	if l.closed.Load() {
		return errors.New("the topic takes nothing")
	}
	return l.Log.Append(ctx, b)
}

// TestMemberSettings: each setting that members need not share is another one at a member that takes over, and is
// killed before it saves again. Another one, with an empty folder and the settings of the first, follows what it has
// published and goes on, and verify finds nothing.
func TestMemberSettings(t *testing.T) {
	t.Parallel()
	for _, x := range memberSettings {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			s := withTopic(t, lateSetup(t, 1, 2, 1))
			c, begin := s.Client(t), time.Now().Add(-time.Hour)
			second := func(n int) time.Time { return begin.Add(time.Duration(n) * time.Second) }
			label := func(p, at5 int, ids ...int) {
				s.Cluster.ProduceRecords(t, s.Kafka.Labels, p, at(second(at5), labelsOf(ids...)...)...)
			}
			s.Config.Labels.Settled, s.Config.CheckpointInterval = 100, time.Hour
			s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 30)...)...)
			label(0, 20, 0, 1, 2, 3)
			label(1, 20, 4)
			p := killed(s)
			a := member(t, s, s.Dir)
			a.rounds <- 1
			a.await(t, board.Live, 35)
			other, q := *s, &plug{}
			q.left.Store(1 << 40)
			other.Adjust = func(task *stream.Task) {
				closed := new(atomic.Bool)
				task.Checkpoints = closedTopic{task.Checkpoints, closed}
				task.Journal = &hookJournal{Journal: pluggedJournal{task.Journal, q},
					append: func(context.Context, int) error { closed.Store(true); return nil }}
			}
			labels := *s.Config.Labels
			other.Config.Labels = &labels
			x.change(t, &other)
			b := member(t, &other, t.TempDir())
			b.await(t, board.Following, 35)

			p.left.Store(0)
			again := append(unlabelled(0, 1), unlabelled(30, 40)...)
			s.Cluster.ProduceRecords(t, s.Name, 0, at(second(30), again...)...)
			label(0, 40, 5)
			label(1, 41, 6)
			if err := <-a.ended; !errors.Is(err, errPlug) {
				t.Fatal(err)
			}
			b.rounds <- 2
			streamtest.Await(t, "all is handled", func() bool {
				st := b.Status()
				return st.Counts.Read == 41 && st.Counts.Labels.Read == 7 && published(t, c, s) == st.Seq
			})
			streamtest.Await(t, "what the setting decides", func() bool {
				return x.shows == nil || x.shows(kindsOf(t, s))
			})
			q.left.Store(0)
			s.Cluster.ProduceRecords(t, s.Name, 0, at(second(50), unlabelled(40, 41)...)...)
			if err := <-b.ended; !errors.Is(err, errPlug) {
				t.Fatal(err)
			}

			s.Adjust = nil
			for _, topic := range []string{s.Output(), s.Kafka.Outcomes} {
				s.Cluster.SetConfig(t, topic, "max.message.bytes", "1000000")
			}
			m := member(t, s, t.TempDir())
			m.await(t, board.Following, published(t, c, s))
			m.rounds <- 3
			label(0, 60, 7)
			label(1, 60, 8)
			streamtest.Await(t, "the rest", func() bool {
				st := m.Status()
				return st.Counts.Read == 42 && published(t, c, s) == st.Seq
			})
			m.stop()
			if err := <-m.ended; err != nil {
				t.Fatal(err)
			}
			verifiedByEver(t, m.setup)
		})
	}
}

// published is the number of entries of a setup's journal.
func published(t *testing.T, c topics.Log, s *streamtest.Setup) (n int64) {
	t.Helper()
	top, err := c.Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, topic := range top.Journal() {
		for p, b := range top.Of(topic).Partitions {
			for _, r := range streamtest.Read(t, c, topic, int32(p), b) {
				if e := journal.Parse(topic, int32(p), &r, s.Name); e.Kind != journal.Foreign {
					n++
				}
			}
		}
	}
	return n
}

// verifiedByEver verifies a journal as `rosenblatt verify` does: by the loosest limits that the newest checkpoint
// keeps.
func verifiedByEver(t *testing.T, s *streamtest.Setup) {
	t.Helper()
	h, _ := headerOf(t, s)
	proc, err := s.Config.NewProcessor()
	if err != nil {
		t.Fatal(err)
	}
	limits := state.LabelsConfig{Limits: h.Late.Ever.Limits, Slack: s.Config.Labels.Slack, Memory: 1 << 20}
	if h.Late.Ever.Idle {
		limits.Idle = time.Millisecond
	}
	r, err := verify.Audit{Log: s.Client(t), Model: s.Name, Labels: limits,
		From: verify.Start{Processor: proc, Config: s.Config.ModelConfig}}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		t.Errorf("verify: %+v", f)
	}
}

// TestMemberBatchBytes: a member whose --max-batch-bytes is lower than a batch of the input ends, and no other one.
func TestMemberBatchBytes(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	a := member(t, s, s.Dir)
	a.rounds <- 1
	a.await(t, board.Live, 0)
	other := *s
	other.Kafka.MaxBatchBytes = 1000
	b := member(t, &other, t.TempDir())
	b.await(t, board.Following, 0)
	s.Cluster.Produce(t, s.Name, 0, good(100)...)
	a.await(t, board.Live, 100)
	if err := <-b.ended; !stops.Is(err, stops.BadBatch) {
		t.Errorf("it ended with %v", err)
	}
	s.Cluster.Produce(t, s.Name, 0, good(100)...)
	a.await(t, board.Live, 200)
}
