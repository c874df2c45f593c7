package stream_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/model"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// cutJournal writes only some of the n-th flight of several batches, or of any, and then the process dies.
type cutJournal struct {
	topics.Journal
	left  int
	any   bool
	keep  func(i int, b *topics.Batch) int // how many records of a batch are written
	ready func()                           // called before the first one; may be nil
	cut   bool
}

func (j *cutJournal) Append(ctx context.Context, batches []topics.Batch) error {
	if j.cut {
		return errPlug
	}
	if j.ready != nil {
		j.ready()
	}
	if batches[0].Topic == topics.Output && (j.any || len(batches) > 1) {
		j.left--
	}
	if j.left > 0 {
		return j.Journal.Append(ctx, batches)
	}
	j.cut = true
	if some := part(batches, j.keep); len(some) > 0 {
		if err := j.Journal.Append(ctx, some); err != nil {
			return err
		}
	}
	return errPlug
}

// part is what keep says of batches.
func part(batches []topics.Batch, keep func(i int, b *topics.Batch) int) (some []topics.Batch) {
	for i, b := range batches {
		var prefix recordbatch.Builder
		b.Records.CopyRange(&prefix, 0, keep(i, &b), nil)
		if b.Records = &prefix; prefix.Len() > 0 {
			some = append(some, b)
		}
	}
	return some
}

// wide is a setup with records in each of so many partitions, that come in small chunks.
func wide(t *testing.T, partitions int) *streamtest.Setup {
	t.Helper()
	s := streamtest.New(t, streamtest.Start(t), partitions)
	s.Config.BatchRecords = 5
	s.Config.CheckpointInterval = time.Millisecond
	for p := range partitions {
		s.Cluster.Produce(t, s.Name, p, events(uint64(p), 40)...)
	}
	return s
}

// eager is a log that knows which partitions of the input were read, so that a flight of several can be awaited.
type eager struct {
	topics.Log
	mu   sync.Mutex
	read map[int32]bool
}

func (l *eager) all() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.read) >= 3
}

func (l *eager) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	r := l.Log.Open(topic, partition, from)
	if topic != topics.Input {
		return r
	}
	return eagerReader{r, l}
}

type eagerReader struct {
	topics.Reader
	log *eager
}

func (r eagerReader) Read(ctx context.Context, c *topics.Run, max int) error {
	err := r.Reader.Read(ctx, c, max)
	r.log.mu.Lock()
	defer r.log.mu.Unlock()
	r.log.read[c.Partition] = true
	return err
}

// cut runs the setup's task until its n-th flight of several batches, of which only some is written. Where the
// partitions are read one after another, there are too few of such flights, and it goes on with more events.
func cut(t *testing.T, s *streamtest.Setup, n int, keep func(i int, b *topics.Batch) int) {
	t.Helper()
	j := &cutJournal{left: n, keep: keep}
	defer func() { s.Adjust, s.Wrap = nil, nil }()
	for seed := uint64(100); ; seed += 10 {
		log := &eager{read: map[int32]bool{}}
		s.Wrap = func(l topics.Log) topics.Log { log.Log = l; return log }
		j.ready = func() { streamtest.Await(t, "all partitions", log.all) }
		s.Adjust = func(task *stream.Task) { j.Journal, task.Journal = task.Journal, j }
		_, err := s.Run(t)
		if errors.Is(err, errPlug) {
			return
		}
		if err != nil || seed > 1000 {
			t.Fatalf("the run ended before it was cut: %v", err)
		}
		for p := range 3 {
			s.Cluster.Produce(t, s.Name, p, events(seed+uint64(p), 40)...)
		}
	}
}

// TestTornFlight: a flight of which any part was published is completed by the next start, before anything new; verify
// finds nothing wrong before and after that.
func TestTornFlight(t *testing.T) {
	t.Parallel()
	const partitions = 3
	parts := []func(n int) int{
		func(int) int { return 0 }, func(n int) int { return n / 2 }, func(n int) int { return n },
	}
	for mask := range 27 {
		if (testing.Short() || streamtest.Real()) && mask%5 > 0 {
			continue
		}
		t.Run(fmt.Sprint(mask), func(t *testing.T) {
			t.Parallel()
			s := wide(t, partitions)
			keep := func(i int, b *topics.Batch) int {
				pick := []int{mask % 3, mask / 3 % 3, mask / 9}[i%3]
				return parts[pick](b.Records.Len())
			}
			cut(t, s, 2, keep)
			torn := verified(t, s)
			if mask%5 == 0 { // the completion is cut, too
				s.Adjust = func(task *stream.Task) {
					task.Journal = &cutJournal{Journal: task.Journal, left: 1, any: true,
						keep: func(i int, b *topics.Batch) int { return (mask + i) % (b.Records.Len() + 1) }}
				}
				if _, err := s.Run(t); !errors.Is(err, errPlug) {
					t.Fatal(err)
				}
				s.Adjust = nil
				if again := verified(t, s); again.Seq < torn.Seq {
					t.Errorf("complete to seq %d, and before to %d", again.Seq, torn.Seq)
				}
			}
			s.MustRun(t)
			o := s.Audit(t)
			if r := verified(t, s); r.Predictions != int64(len(o.Predictions)) || r.Pending != 0 {
				t.Errorf("%d of %d predictions are verified, %d pending", r.Predictions, len(o.Predictions), r.Pending)
			}
		})
	}
}

// verified audits what is published, which has to be sound.
func verified(t *testing.T, s *streamtest.Setup) *verify.Result {
	t.Helper()
	p, err := model.NewProcessor(s.Config.ModelConfig)
	if err != nil {
		t.Fatal(err)
	}
	r, err := verify.Audit{Log: s.Client(t), Model: s.Name,
		From: verify.Start{Processor: p, Config: s.Config.ModelConfig}}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		t.Errorf("verify: %+v", f)
	}
	return r
}

// TestTornAgainAndAgain: whatever is cut off, by whichever process.
func TestTornAgainAndAgain(t *testing.T) {
	t.Parallel()
	for seed := range uint64(streamtest.Rounds(3, 6, 20)) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 3))
			s := wide(t, 2+r.IntN(4))
			for range 6 {
				j := &cutJournal{left: 1 + r.IntN(3),
					keep: func(_ int, b *topics.Batch) int { return r.IntN(b.Records.Len() + 1) }}
				s.Adjust = func(task *stream.Task) { j.Journal, task.Journal = task.Journal, j }
				if _, err := s.Run(t); err == nil {
					break
				} else if !errors.Is(err, errPlug) {
					t.Fatal(err)
				}
				verified(t, s)
			}
			s.Adjust = nil
			s.MustRun(t)
			s.Audit(t)
			verified(t, s)
		})
	}
}

// TestTornFlightWithoutInput: where the record of a missing entry is gone, the operator decides; then seq has a hole,
// and the next start needs no decision.
func TestTornFlightWithoutInput(t *testing.T) {
	t.Parallel()
	s := wide(t, 3)
	missing := int32(-1)
	cut(t, s, 2, func(i int, b *topics.Batch) int {
		if i > 0 {
			return b.Records.Len()
		}
		missing = b.Partition
		return 0
	})
	s.Cluster.DeleteRecords(t, s.Name, missing, boundsOf(t, s).Input.Partitions[missing].End)
	wantStop(t, s, stops.InputGone)
	accepted(t, s, stops.InputGone)
}

// TestProgressAtBoundaries: a checkpoint that a recovery writes on its way is a start for the next one: it is not
// within a flight.
func TestProgressAtBoundaries(t *testing.T) {
	t.Parallel()
	s := wide(t, 3)
	s.MustRun(t)
	old := t.TempDir()
	if err := os.CopyFS(old, os.DirFS(s.Dir)); err != nil {
		t.Fatal(err)
	}
	s.Config.BatchRecords = 70
	for p := range 3 {
		s.Cluster.Produce(t, s.Name, p, events(10+uint64(p), 1500)...)
	}
	s.MustRun(t)
	for steps := int64(10); steps < 40; steps += 10 {
		s.Dir = t.TempDir()
		if err := os.CopyFS(s.Dir, os.DirFS(old)); err != nil {
			t.Fatal(err)
		}
		s.Config.CheckpointInterval = time.Nanosecond // whenever one may be written
		p := &plug{}
		p.left.Store(steps)
		s.Adjust = func(task *stream.Task) { task.Store.FS = pluggedFS{task.Store.FS, p} }
		if _, err := s.Run(t); err == nil {
			t.Fatal("the recovery was not cut off")
		}
		s.Adjust = nil
		s.MustRun(t)
		s.Audit(t)
	}
}
