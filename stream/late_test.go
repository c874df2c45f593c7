package stream_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// sameScore checks that the newest checkpoint holds the model of an audit.
func sameScore(t *testing.T, s *streamtest.Setup, a *lateAudit) {
	t.Helper()
	f, _, err := (&checkpoint.Store{Dir: filepath.Join(s.Dir, s.Name)}).Newest()
	if err != nil {
		t.Fatal(err)
	}
	h, proc, err := model.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := proc.Report(), a.proc.Report(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the checkpoint's score is\n%+v, the journal's\n%+v", got, want)
	}
	got, want := proc.Top(model.Positive, 20), a.proc.Top(model.Positive, 20)
	if len(got) != len(want) {
		t.Fatalf("%d weights, want %d", len(got), len(want))
	}
	for i := range got {
		if math.Float64bits(got[i].Weight) != math.Float64bits(want[i].Weight) || got[i].Name != want[i].Name {
			t.Errorf("weight %+v, want %+v", got[i], want[i])
		}
	}
	for kind := journal.DuplicateID; kind <= journal.Evicted; kind++ {
		if n := h.Counts.Labels.Outcomes[kind.String()]; n != int64(a.outcomes[kind]) {
			t.Errorf("%d outcomes are %v, the checkpoint counts %d", a.outcomes[kind], kind, n)
		}
	}
}

// wantProduced checks that of each kind there is what was produced.
func (a *lateAudit) wantProduced(x *lateStream) {
	a.t.Helper()
	for what, got := range map[string]int{
		"duplicate":   a.outcomes[journal.DuplicateID],
		"twice":       a.rejected["repeat"],
		"conflicting": a.rejected["conflicting-label"],
		"no example":  a.rejected["no-example"],
		"bad":         a.rejected["no-label"],
	} {
		if want := x.produced[what]; got != want {
			a.t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
}

// TestLateOutcomes: every event without a label gets one outcome, every label has one effect, and all is made again
// with code of its own.
func TestLateOutcomes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ partitions, labels, outcomes int }{{1, 1, 1}, {3, 2, 3}, {2, 3, 1}} {
		t.Run(fmt.Sprintf("%d-%d-%d", c.partitions, c.labels, c.outcomes), func(t *testing.T) {
			s := lateSetup(t, c.partitions, c.labels, c.outcomes)
			x := newLateStream(1, 1500, c.partitions, c.labels)
			x.produce(t, s)
			s.MustRun(t)
			a := auditLate(t, s)
			a.wantProduced(x)
			sameScore(t, s, a)
			if a.outcomes[journal.Expired] == 0 || a.outcomes[journal.Labelled] < 1000 {
				t.Errorf("%v", a.outcomes)
			}
		})
	}
}

// TestLateCrashAnywhere is TestCrashAnywhere with labels: what each next process goes on with is what the journal says.
func TestLateCrashAnywhere(t *testing.T) {
	t.Parallel()
	for seed := range uint64(streamtest.Rounds(2, 12, 40)) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 21))
			partitions, labels := 1+r.IntN(3), 1+r.IntN(3)
			s := lateSetup(t, partitions, labels, 1+r.IntN(3))
			x := newLateStream(seed, 400, partitions, labels)
			switch seed % 5 {
			case 2:
				x.classes(s)
			case 3:
				x.byKey(s)
			}
			x.produce(t, s)
			s.Config.BatchRecords = 1 + r.IntN(12)
			s.Config.CheckpointInterval = time.Millisecond
			s.Config.CheckpointEvery = 1 + int64(r.IntN(60))
			s.Config.Labels.Memory = []int64{1, 100_000, 0}[seed%3]
			if seed%4 == 1 {
				s.Config.ModelConfig.Late.Assume = "-1"
			}
			if seed%4 == 2 {
				s.Config.Labels.Examples = 7
			}
			for crashes := 0; ; crashes++ {
				p := &plug{}
				p.left.Store(int64(r.IntN(60)))
				if crashes == 15 {
					p.left.Store(1 << 40)
				}
				s.Adjust = func(task *stream.Task) {
					task.Journal = pluggedJournal{task.Journal, p}
					task.Store.FS = pluggedFS{task.Store.FS, p}
				}
				if _, err := s.Run(t); err == nil {
					break
				} else if !errors.Is(err, errPlug) {
					t.Fatalf("after %d crashes: %v", crashes, err)
				}
			}
			a := auditLate(t, s)
			if s.Config.Labels.Examples > 7 {
				a.wantProduced(x)
			}
			sameScore(t, s, a)
			t.Log(a.outcomes, a.rejected, x.produced)
		})
	}
}

// TestLateTorn: flights of predictions and outcomes that are cut anywhere are completed, and so are the completions.
func TestLateTorn(t *testing.T) {
	t.Parallel()
	var torn atomic.Int64
	for seed := range uint64(streamtest.Rounds(4, 10, 40)) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 23))
			partitions, labels := 1+r.IntN(3), 1+r.IntN(3)
			s := lateSetup(t, partitions, labels, 1+r.IntN(3))
			x := newLateStream(seed, 400, partitions, labels)
			x.produce(t, s)
			s.Config.BatchRecords = 7
			s.Config.CheckpointInterval = time.Millisecond
			s.Config.CheckpointEvery = 1 + int64(r.IntN(60))
			s.Config.Labels.Memory = []int64{1, 0}[seed%2]
			for range 12 {
				j := &cutJournal{left: 1 + r.IntN(9), keep: func(_ int, b *topics.Batch) int {
					return []int{0, b.Records.Len(), r.IntN(b.Records.Len() + 1)}[r.IntN(3)]
				}}
				s.Adjust = func(task *stream.Task) { j.Journal, task.Journal = task.Journal, j }
				if _, err := s.Run(t); err == nil {
					break
				} else if !errors.Is(err, errPlug) {
					t.Fatal(err)
				}
				torn.Add(1)
			}
			s.Adjust = nil
			s.MustRun(t)
			a := auditLate(t, s)
			a.wantProduced(x)
			sameScore(t, s, a)
		})
	}
	t.Cleanup(func() {
		if torn.Load() == 0 {
			t.Error("no flight was cut")
		}
	})
}
