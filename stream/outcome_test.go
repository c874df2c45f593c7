package stream_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"rosenblatt/stream"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// lateRun is a setup with records in each partition, whose tasks make outcomes; wrap changes each task's journal.
func lateRun(t *testing.T, seed uint64, partitions, outcomes int) *streamtest.Setup {
	t.Helper()
	s := withOutcomes(t, partitions, outcomes)
	for p := range partitions {
		s.Cluster.Produce(t, s.Name, p, events(seed*10+uint64(p), 120)...)
	}
	s.Config.BatchRecords = 7
	s.Config.CheckpointInterval = time.Millisecond
	s.Config.CheckpointEvery = 1 + int64(seed*31%40)
	return s
}

// adjusted makes the tasks of a setup settle, each with decisions of its own.
func adjusted(t *testing.T, s *streamtest.Setup, change func(*stream.Task)) {
	seed := uint64(0)
	s.Adjust = func(task *stream.Task) {
		seed++
		settle(t, s, task, seed)
		if change != nil {
			change(task)
		}
	}
}

// TestOutcomes: predictions and outcomes share one seq, over topics of different numbers of partitions.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	for outcomes := range 4 {
		t.Run(fmt.Sprint(outcomes+1), func(t *testing.T) {
			s := lateRun(t, uint64(outcomes), 3, outcomes+1)
			adjusted(t, s, nil)
			s.MustRun(t)
			allPredicted(t, s, auditOutcomes(t, s))
		})
	}
}

// TestOutcomesCrashAnywhere is TestCrashAnywhere with outcomes: whatever was in the journal is made again in its
// order, and what each next process decides follows it.
func TestOutcomesCrashAnywhere(t *testing.T) {
	t.Parallel()
	for seed := range uint64(streamtest.Rounds(3, 10, 40)) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 11))
			s := lateRun(t, seed, 1+r.IntN(3), 1+r.IntN(4))
			for crashes := 0; ; crashes++ {
				p := &plug{}
				p.left.Store(int64(r.IntN(60)))
				if crashes == 12 {
					p.left.Store(1 << 40)
				}
				adjusted(t, s, func(task *stream.Task) {
					task.Journal = pluggedJournal{task.Journal, p}
					task.Store.FS = pluggedFS{task.Store.FS, p}
				})
				if _, err := s.Run(t); err == nil {
					break
				} else if !errors.Is(err, errPlug) {
					t.Fatalf("after %d crashes: %v", crashes, err)
				}
			}
			allPredicted(t, s, auditOutcomes(t, s))
		})
	}
}

// TestTornOutcomes: flights of both topics that are cut anywhere are completed, and so are the completions, in the
// partitions that the outcomes had when the flight was made.
func TestTornOutcomes(t *testing.T) {
	t.Parallel()
	var torn atomic.Int64
	t.Cleanup(func() {
		if torn.Load() == 0 && !t.Failed() {
			t.Error("no flight was cut")
		}
	})
	for seed := range uint64(streamtest.Rounds(4, 10, 40)) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 13))
			outcomes := 1 + r.IntN(4)
			s := lateRun(t, seed, 1+r.IntN(3), outcomes)
			for range 8 {
				if r.IntN(3) == 0 {
					outcomes++
					s.Cluster.AddPartitions(t, s.Kafka.Outcomes, outcomes)
				}
				j := &cutJournal{left: 1 + r.IntN(4), keep: func(_ int, b *topics.Batch) int {
					return []int{0, b.Records.Len(), r.IntN(b.Records.Len() + 1)}[r.IntN(3)]
				}}
				adjusted(t, s, func(task *stream.Task) { j.Journal, task.Journal = task.Journal, j })
				if _, err := s.Run(t); err == nil {
					break
				} else if !errors.Is(err, errPlug) {
					t.Fatal(err)
				}
				torn.Add(1)
			}
			adjusted(t, s, nil)
			s.MustRun(t)
			allPredicted(t, s, auditOutcomes(t, s))
		})
	}
}

// lateTail is a setup whose last process died with a journal behind its checkpoint.
func lateTail(t *testing.T) *streamtest.Setup {
	t.Helper()
	s := lateRun(t, 1, 2, 2)
	s.Config.CheckpointInterval, s.Config.CheckpointEvery = time.Hour, 0
	adjusted(t, s, func(task *stream.Task) {
		task.Journal = &cutJournal{Journal: task.Journal, left: 12, any: true,
			keep: func(_ int, b *topics.Batch) int { return b.Records.Len() }}
	})
	if _, err := s.Run(t); !errors.Is(err, errPlug) {
		t.Fatal(err)
	}
	adjusted(t, s, nil)
	return s
}

// TestOutcomesDiffer: an outcome in the journal is compared with the one that is made again, and its topic belongs to
// the model alone.
func TestOutcomesDiffer(t *testing.T) {
	t.Parallel()
	t.Run("foreign", func(t *testing.T) {
		s := lateTail(t)
		s.Cluster.Produce(t, s.Kafka.Outcomes, 1, "hello")
		wantStop(t, s, stops.OtherWriter, s.Kafka.Outcomes, "--outcomes")
	})
	t.Run("a prediction", func(t *testing.T) {
		s := lateTail(t)
		s.Cluster.Produce(t, s.Kafka.Outcomes, 1, fmt.Sprintf(
			`{"prediction":1,"score":1,"updated":false,"partition":0,"offset":1,"time":1,"seq":5,"model":"%s@1"}`,
			s.Name))
		wantStop(t, s, stops.OtherWriter, s.Kafka.Outcomes)
	})
	t.Run("no later labels", func(t *testing.T) {
		s := lateTail(t)
		s.Adjust = nil
		wantStop(t, s, stops.JournalDiffers, "no later labels")
	})
	t.Run("another outcome", func(t *testing.T) {
		s := lateTail(t)
		entries, _ := entriesOf(t, s)
		last := &entries[len(entries)-1]
		s.Cluster.Produce(t, s.Kafka.Outcomes, 0, fmt.Sprintf(`{"outcome":"expired","prediction":1,"score":7,`+
			`"updated":false,"partition":0,"offset":1,"time":1,"of":2,"seq":%d,"model":"%s@1"}`, last.Seq+1, s.Name))
		wantStop(t, s, stops.JournalDiffers, fmt.Sprint("seq ", last.Seq+1), "score 7")
	})
}

// TestOutcomesTopic: what holds for the output at a start holds for the outcomes.
func TestOutcomesTopic(t *testing.T) {
	t.Parallel()
	t.Run("compacted", func(t *testing.T) {
		s := lateTail(t)
		s.Cluster.SetConfig(t, s.Kafka.Outcomes, "cleanup.policy", "compact")
		wantStop(t, s, stops.OutputUnfit, s.Kafka.Outcomes, "--outcomes")
	})
	t.Run("state missing", func(t *testing.T) {
		s := lateTail(t)
		top := boundsOf(t, s)
		for p, b := range top.Output.Partitions {
			s.Cluster.DeleteRecords(t, s.Output(), int32(p), b.End)
		}
		s.Dir = t.TempDir()
		wantStop(t, s, stops.StateMissing, s.Kafka.Outcomes, "holds outcomes")
	})
	t.Run("gone", func(t *testing.T) {
		s := lateTail(t)
		for p, b := range boundsOf(t, s).Outcomes.Partitions {
			s.Cluster.DeleteRecords(t, s.Kafka.Outcomes, int32(p), b.End)
		}
		wantStop(t, s, stops.JournalGone, s.Kafka.Outcomes)
		s.Config.Accept = []string{stops.JournalGone}
		s.MustRun(t)
		s.Config.Accept = nil
		s.MustRun(t) // needs no decision any more
	})
	t.Run("another topic", func(t *testing.T) {
		s := lateTail(t)
		s.Kafka.Outcomes = s.Name + ".others"
		s.Cluster.Topic(t, s.Kafka.Outcomes, 1)
		wantStop(t, s, stops.TopicChanged, s.Kafka.Outcomes)
	})
}

// TestManyRuns: predictions and outcomes alternate, in flights of many runs. On a slow machine they end by time, before
// the layout has no room for a further run; TestRoomForRuns has the bound itself.
func TestManyRuns(t *testing.T) {
	t.Parallel()
	s := withOutcomes(t, 1, 2)
	s.Cluster.Produce(t, s.Name, 0, events(1, 2000)...)
	s.Config.CheckpointInterval = time.Hour
	adjusted(t, s, nil)
	s.MustRun(t)
	auditOutcomes(t, s)
	most := 0
	for _, r := range streamtest.Read(t, s.Client(t), topics.Output, 0, boundsOf(t, s).Output.Partitions[0]) {
		l, err := journal.LayoutOf(&r)
		if err != nil {
			t.Fatal(err)
		}
		if l != nil {
			most = max(most, len(l.Runs))
		}
	}
	if most > journal.MostRuns || most < 50 {
		t.Errorf("the layout with the most runs has %d", most)
	}
}

// TestLargeOutcome: an outcome that fits into no batch goes out in its short form: its prediction is published.
func TestLargeOutcome(t *testing.T) {
	t.Parallel()
	s := withOutcomes(t, 1, 1)
	s.Cluster.SetConfig(t, s.Kafka.Outcomes, "max.message.bytes", "4000")
	s.Cluster.ProduceRecords(t, s.Name, 0, kafka.Record{Key: kafka.NewBytes(make([]byte, 5000)),
		Value: kafka.NewBytes([]byte(events(1, 1)[0]))})
	s.Cluster.Produce(t, s.Name, 0, events(2, 200)...)
	adjusted(t, s, nil)
	s.MustRun(t)
	short := 0
	for _, r := range streamtest.Read(t, s.Client(t), topics.Outcomes, 0, boundsOf(t, s).Outcomes.Partitions[0]) {
		if journal.IsShort(r.Value) {
			short++
			if o, err := journal.ParseOutcome(r.Value); err != nil || o.Of != 1 || r.Key != nil {
				t.Errorf("%s: %v", r.Value, err)
			}
		}
	}
	if short != 1 {
		t.Errorf("%d outcomes are in the short form", short)
	}
}
