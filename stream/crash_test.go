package stream_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/checkpoint"
	"rosenblatt/stream"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

var errPlug = errors.New("the plug is pulled")

// plug ends a process at a given step: from then on nothing it does reaches the cluster or the disk.
type plug struct{ left atomic.Int64 }

func (p *plug) step() error {
	if p.left.Add(-1) < 0 {
		return errPlug
	}
	return nil
}

type pluggedJournal struct {
	topics.Journal
	p *plug
}

func (j pluggedJournal) Takeover(ctx context.Context, held topics.Producer) (*topics.Fence, error) {
	if err := j.p.step(); err != nil {
		return nil, err
	}
	f, err := j.Journal.Takeover(ctx, held)
	if err == nil {
		err = j.p.step()
	}
	return f, err
}

func (j pluggedJournal) Append(ctx context.Context, batches []topics.Batch) error {
	if err := j.p.step(); err != nil {
		return err // dies before the batch is sent
	}
	err := j.Journal.Append(ctx, batches)
	if err == nil {
		err = j.p.step() // dies after the batch is written
	}
	return err
}

type pluggedGroup struct {
	topics.Committer
	p *plug
}

func (g pluggedGroup) Commit(ctx context.Context, positions []int64) error {
	if err := g.p.step(); err != nil {
		return err
	}
	return g.Committer.Commit(ctx, positions)
}

type pluggedFS struct {
	checkpoint.FS
	p *plug
}

func (f pluggedFS) Create(path string) (checkpoint.Handle, error) {
	if err := f.p.step(); err != nil {
		return nil, err
	}
	w, err := f.FS.Create(path)
	return pluggedFile{w, f.p}, err
}

func (f pluggedFS) Rename(from, to string) error {
	if err := f.p.step(); err != nil {
		return err
	}
	return f.FS.Rename(from, to)
}

func (f pluggedFS) Remove(path string) error {
	if err := f.p.step(); err != nil {
		return err
	}
	return f.FS.Remove(path)
}

func (f pluggedFS) SyncDir(path string) error {
	if err := f.p.step(); err != nil {
		return err
	}
	return f.FS.SyncDir(path)
}

type pluggedFile struct {
	checkpoint.Handle
	p *plug
}

func (f pluggedFile) Write(b []byte) (int, error) {
	if err := f.p.step(); err != nil {
		return 0, err
	}
	return f.Handle.Write(b)
}

func (f pluggedFile) Sync() error {
	if err := f.p.step(); err != nil {
		return err
	}
	return f.Handle.Sync()
}

// TestCrashAnywhere kills a task at a random step of what it does to the cluster and the disk, again and again, and
// audits the topics after the last one came through. -run TestCrashAnywhere/seed3 plays one seed again.
func TestCrashAnywhere(t *testing.T) {
	t.Parallel()
	for seed := range uint64(streamtest.Rounds(4, 12, 40)) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) { crashRound(t, seed) })
	}
}

func crashRound(t *testing.T, seed uint64) {
	t.Parallel()
	r := rand.New(rand.NewPCG(seed, 7))
	partitions := 1 + r.IntN(4)
	s := streamtest.New(t, streamtest.Start(t), partitions)
	for p := range partitions {
		s.Cluster.Produce(t, s.Name, p, events(seed*10+uint64(p), 400)...)
	}
	s.Config.BatchRecords = 1 + r.IntN(40)
	s.Config.CheckpointInterval = time.Millisecond
	s.Config.CheckpointEvery = int64(1 + r.IntN(100))
	s.Config.Grace = time.Minute
	rules := []string{"", "precision=0.6", "recall=0.8", "alerts=0.2", "cost=fp:1,fn:3"}
	if err := s.Config.ModelConfig.SetDecisions("platt", rules[seed%uint64(len(rules))]); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("ROSENBLATT_TEST_LOG") != "" {
		s.Log = zerolog.New(zerolog.ConsoleWriter{Out: os.Stderr, TimeFormat: "05.000"}).With().Timestamp().Logger()
	}
	crashes := crashUntilThrough(t, s, r, 15)
	o := s.Audit(t)
	t.Logf("%d partitions, %d crashes, %d predictions, %d dead letters", partitions, crashes, len(o.Predictions),
		len(o.DeadLetters))
}

// crashUntilThrough runs the setup's task with the plug pulled at a random step, again and again, until one run comes
// through; after so many crashes the plug stays in. It returns the number of crashes.
func crashUntilThrough(t *testing.T, s *streamtest.Setup, r *rand.Rand, most int) (crashes int) {
	t.Helper()
	return crashAgain(t, s, r, most, nil)
}

// plugged has the setup's tasks pull the plug at a random step, or never.
func plugged(s *streamtest.Setup, r *rand.Rand, never bool) {
	p := &plug{}
	p.left.Store(int64(r.IntN(60)))
	if never {
		p.left.Store(1 << 40)
	}
	s.Adjust = func(task *stream.Task) {
		task.Journal = pluggedJournal{task.Journal, p}
		task.Group = pluggedGroup{task.Group, p}
		task.Store.FS = pluggedFS{task.Store.FS, p}
		if task.Checkpoints != nil {
			task.Checkpoints = pluggedTopic{task.Checkpoints, p}
		}
	}
}

// crashAgain is crashUntilThrough that calls before, which may be nil, ahead of each run.
func crashAgain(t *testing.T, s *streamtest.Setup, r *rand.Rand, most int, before func()) (crashes int) {
	t.Helper()
	for {
		plugged(s, r, crashes >= most)
		if before != nil {
			before()
		}
		_, err := s.Run(t)
		if err == nil {
			return crashes
		}
		if !errors.Is(err, errPlug) {
			t.Fatalf("after %d crashes: %v", crashes, err)
		}
		crashes++
		if s.State != "" {
			elsewhere(t, s, r)
		}
	}
}
