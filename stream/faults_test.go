package stream_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// good makes n labelled events, none of which is rejected.
func good(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(`{"label":%d,"features":{"x":%d}}`, 1-2*(i%2), i%5)
	}
	return out
}

// hookJournal calls a test before Takeover and Append; calls count from 1.
type hookJournal struct {
	topics.Journal
	takeover func(ctx context.Context, call int) error
	append   func(ctx context.Context, call int) error
	taken    int
	appended int
}

func (j *hookJournal) Takeover(ctx context.Context, held topics.Producer) (*topics.Fence, error) {
	j.taken++
	if j.takeover != nil {
		if err := j.takeover(ctx, j.taken); err != nil {
			return nil, err
		}
	}
	return j.Journal.Takeover(ctx, held)
}

func (j *hookJournal) Append(ctx context.Context, batches []topics.Batch) error {
	j.appended++
	if j.append != nil {
		if err := j.append(ctx, j.appended); err != nil {
			return err
		}
	}
	return j.Journal.Append(ctx, batches)
}

// diskFS makes so many files and then no more.
type diskFS struct {
	checkpoint.FS
	left *atomic.Int64
}

var errDisk = errors.New("no space left")

func (f diskFS) Create(path string) (checkpoint.Handle, error) {
	if f.left.Add(-1) < 0 {
		return nil, errDisk
	}
	return f.FS.Create(path)
}

func fullAfter(creates int64) func(*stream.Task) {
	left := new(atomic.Int64)
	left.Store(creates)
	return func(task *stream.Task) { task.Store.FS = diskFS{task.Store.FS, left} }
}

// within runs the task for at most d.
func runWithin(t *testing.T, s *streamtest.Setup, d time.Duration) (*stream.Task, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	task := s.Task(t)
	return task, task.Run(ctx)
}

// a record whose dead letter fits into no batch stops the run, but the position passes it, and finish saves that.
func TestDeadLetterThatFitsNowhereIsNotPassed(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.SetConfig(t, s.DeadLetters(), "max.message.bytes", "100")
	s.Cluster.Produce(t, s.Name, 0, good(5)...)
	s.Cluster.Produce(t, s.Name, 0, "{")
	s.Cluster.Produce(t, s.Name, 0, good(5)...)
	wantStop(t, s, stops.KafkaError, "fits into no batch", "offset 5", "max.message.bytes of the dead-letter topic")
	s.Cluster.SetConfig(t, s.DeadLetters(), "max.message.bytes", "1000000")
	s.MustRun(t)
	s.Audit(t)
}

// the journal has a prediction of an offset that the input does not hold (the log was cut): a stop, not an endless
// wait.
func TestPredictedBeyondTheInputsEnd(t *testing.T) {
	t.Parallel()
	s, _ := half(t, 1)
	s.Cluster.Produce(t, s.Output(), 0, fmt.Sprintf(`{"prediction":1,"score":0,"updated":false,`+
		`"partition":0,"offset":400,"time":1,"seq":393,"model":"%s@1"}`, s.Name))
	if _, err := runWithin(t, s, time.Minute); !stops.Is(err, stops.InputGone) {
		t.Fatalf("run: %v, want the stop %s", err, stops.InputGone)
	}
}

// dead letters of a deleted topic do not concern the records of its successor.
func TestDeadLettersOfAnotherTopicAreNotTaken(t *testing.T) {
	t.Parallel()
	s, old := half(t, 1) // offsets 213, 263, 313 and 363 were dead-lettered behind the old checkpoint
	s.Dir = old
	s.Cluster.Recreate(t, s.Name, 1)
	s.Cluster.Produce(t, s.Name, 0, good(1000)...)
	s.Config.Accept = []string{stops.TopicChanged}
	before := int64(392)
	task := s.MustRun(t)
	if got, want := task.Status().Seq, before+1000; got != want {
		t.Errorf("seq %d, want %d: %d good records of the new topic were passed as dead-lettered", got, want, want-got)
	}
}

// the new topic has fewer partitions than the journal's tail names.
func TestTopicChangedToFewerPartitions(t *testing.T) {
	t.Parallel()
	s, old := half(t, 3)
	s.Dir = old
	s.Cluster.Recreate(t, s.Name, 1)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	wantStop(t, s, stops.TopicChanged)
	s.Config.Accept = []string{stops.TopicChanged}
	s.MustRun(t)
}

// a fresh start is overtaken between reading the output and its fence: what the other one predicted is the journal.
func TestTwoFreshStarts(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, events(1, 100)...)
	other := *s
	other.Dir = t.TempDir()
	s.Adjust = func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal, takeover: func(_ context.Context, call int) error {
			if call == 1 {
				other.MustRun(t)
			}
			return nil
		}}
	}
	if _, err := s.Run(t); err != nil && !stops.Is(err, stops.StateMissing) {
		t.Fatal(err)
	}
	s.Audit(t)
}

// the last checkpoint was due with the last chunk and failed; nothing has moved since.
func TestFailedLastCheckpointIsNoSuccess(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	s.Config.CheckpointEvery = 1
	s.Adjust = fullAfter(1)
	if task, err := s.Run(t); err == nil {
		t.Fatalf("run: nil, though the newest checkpoint has seq %d of %d (%s)", task.Status().Saved.Seq,
			task.Status().Seq, task.Status().SaveError)
	}
}

// a checkpoint that failed is tried again though nothing moves (row 10: recovers when space is back).
func TestFailedCheckpointIsTriedAgainWhenIdle(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.CheckpointInterval = 20 * time.Millisecond
	left := new(atomic.Int64)
	left.Store(1)
	s.Adjust = func(task *stream.Task) { task.Store.FS = diskFS{task.Store.FS, left} }
	task, stop, _ := live(t, s)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	streamtest.Await(t, "a failed save", func() bool {
		return task.Status().Counts.Read == 10 &&
			task.Status().SaveErrors > 0
	})
	left.Store(1 << 40) // space is back
	streamtest.Await(t, "a save once space is back", func() bool { return task.Status().Saved.Seq == 10 })
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

// an idle daemon renews its fence, retention removes what lies before the markers: nothing is gone.
func TestIdleBeyondRetention(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes eleven seconds: the writer renews its fence every ten")
	}
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Kafka.RenewEvery = time.Second
	s.Config.CheckpointInterval = 50 * time.Millisecond
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	task, stop, _ := live(t, s)
	streamtest.Await(t, "ten records saved", func() bool { return task.Status().Saved.Seq == 10 })
	before := boundsOf(t, s).Output.Partitions[0].End
	saved := task.Status().Checkpoints
	streamtest.Await(t, "a renewal", func() bool { return boundsOf(t, s).Output.Partitions[0].End > before })
	streamtest.Await(t, "a checkpoint behind it", func() bool { return task.Status().Checkpoints > saved })
	s.Cluster.DeleteRecords(t, s.Output(), 0, boundsOf(t, s).Output.Partitions[0].End)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	s.Config.UntilEnd = true
	s.MustRun(t)
}

// what --skip passed once is on the record, so that the journal can be followed again without the flag.
func TestSkippedRecordsAreRemembered(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	s.MustRun(t)
	s.Cluster.Produce(t, s.Name, 0, good(20)...)
	s.Config.Skip = []topics.SkipRange{{Partition: 0, From: 10, To: 14}}
	s.Adjust = fullAfter(1) // the takeover's checkpoint, which has the range; then it "crashes"
	if _, err := s.Run(t); !errors.Is(err, stream.ErrUnfinished) {
		t.Fatalf("run: %v", err)
	}
	s.Adjust, s.Config.Skip = nil, nil
	s.MustRun(t)
}

// stopLog's input readers return a stop after so many records.
type stopLog struct {
	topics.Log
	after int
}

type stopReader struct {
	topics.Reader
	left int
}

func (l stopLog) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	r := l.Log.Open(topic, partition, from)
	if topic == topics.Input {
		return &stopReader{r, l.after}
	}
	return r
}

func (r *stopReader) Read(ctx context.Context, c *topics.Run, max int) error {
	if r.left <= 0 {
		return &stops.Error{Name: stops.BadBatch, What: "w", Safe: "s", Do: "d"}
	}
	err := r.Reader.Read(ctx, c, max)
	r.left -= len(c.Records)
	return err
}

// the output is slow when a reader stops: the stop is what the operator has to know.
func TestStopIsNotHiddenByGrace(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.Grace = 100 * time.Millisecond
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	s.Wrap = func(l topics.Log) topics.Log { return stopLog{l, 10} }
	s.Adjust = func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal,
			append: func(ctx context.Context, _ int) error { <-ctx.Done(); return ctx.Err() }}
	}
	if _, err := s.Run(t); !stops.Is(err, stops.BadBatch) {
		t.Fatalf("run: %v, want the stop %s", err, stops.BadBatch)
	}
}

// partitions are added while the output is slow for longer than the grace period: the task is not to end.
func TestPartitionsAddedWhileOutputIsSlow(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.Grace, s.Config.WatchEvery = 100*time.Millisecond, 20*time.Millisecond
	s.Adjust = func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal, append: func(ctx context.Context, call int) error {
			if call == 1 {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}}
	}
	task, stop, done := live(t, s)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	streamtest.Await(t, "ten records", func() bool { return task.Status().Counts.Read == 10 })
	s.Cluster.AddPartitions(t, s.Output(), 2)
	streamtest.Await(t, "predictions after another start", func() bool {
		select {
		case err := <-done:
			t.Fatalf("the task ended by itself: %v", err)
		default:
		}
		return task.Status().Acknowledged == 10 && task.Status().State == board.Live
	})
	if err := stop(); err != nil && !errors.Is(err, stream.ErrUnfinished) { // the grace period is short for a stop
		t.Fatal(err)
	}
	s.Adjust, s.Config.Grace, s.Config.UntilEnd = nil, 0, true
	s.MustRun(t)
	s.Audit(t)
}

// --accept is for this start, not for a recovery in process hours later.
func TestAcceptIsForThisStartOnly(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	s.Config.Accept = []string{stops.JournalGone}
	s.Config.BatchRecords = 5
	s.Adjust = func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal, append: func(_ context.Context, call int) error {
			if call != 2 {
				return nil
			}
			s.Cluster.DeleteRecords(t, s.Output(), 0, boundsOf(t, s).Output.Partitions[0].End)
			return topics.ErrIndeterminate
		}}
	}
	if task, err := s.Run(t); !stops.Is(err, stops.JournalGone) {
		t.Fatalf("run: %v, accepted %+v; want the stop %s", err, task.Status().Accepted, stops.JournalGone)
	}
}

// a checkpoint in the middle of a recovery that passes the journal blindly leaves a state that the next start refuses.
func TestCrashInABlindRecovery(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	s.MustRun(t)
	old := t.TempDir()
	if err := os.CopyFS(old, os.DirFS(s.Dir)); err != nil {
		t.Fatal(err)
	}
	s.Cluster.Produce(t, s.Name, 0, good(1500)...)
	s.MustRun(t)
	s.Dir = old
	s.Cluster.Recreate(t, s.Name, 1)
	s.Cluster.Produce(t, s.Name, 0, good(2000)...)
	s.Config.CheckpointInterval = time.Microsecond
	s.Config.Accept = []string{stops.TopicChanged}
	s.Adjust = fullAfter(1) // the one on the way, not the one after
	if _, err := s.Run(t); !errors.Is(err, errDisk) {
		t.Fatalf("run: %v", err)
	}
	s.Adjust = nil
	if _, err := s.Run(t); err != nil { // even with --accept topic-changed
		t.Fatalf("after a crash in the recovery: %v", err)
	}
}

// settings that mean the same do not differ, and others do.
func TestDiff(t *testing.T) {
	t.Parallel()
	a := model.Config{}
	b := model.Config{Learner: learner.Spec{}.WithDefaults()}
	if d, err := a.Diff(b); err != nil || len(d) != 0 {
		t.Errorf("zero values and explicit defaults differ: %v %v", d, err)
	}
	a, b = model.Config{}, model.Config{}
	a.Decode.Seed, b.Decode.Seed = 1<<60, 1<<60+1
	if d, err := a.Diff(b); err != nil || len(d) != 1 {
		t.Errorf("two seeds do not differ: %v %v", d, err)
	}
}

// stopped while a write is indeterminate: something is unfinished, so the end is not clean.
func TestStoppedInDoubt(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	waiting, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	s.Adjust = func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal, append: func(context.Context, int) error {
			once.Do(func() { close(waiting); <-goOn })
			return topics.ErrIndeterminate
		}}
	}
	task, stop, _ := live(t, s)
	<-waiting
	go func() {
		streamtest.Await(t, "the stop", func() bool { return task.Status().State == board.Stopping })
		close(goOn)
	}()
	if err := stop(); !errors.Is(err, stream.ErrUnfinished) {
		t.Fatalf("stopped with %v (canceled: %v, which the command takes for exit 0), want ErrUnfinished", err,
			errors.Is(err, context.Canceled))
	}
}

// a deadline that ends a run that has acknowledged and saved everything.
func TestDeadlineIsAnOrdinaryEnd(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.UntilEnd = false
	for limit := time.Second; ; limit *= 2 { // until it is live before that
		if _, err := runWithin(t, s, limit); err == nil {
			return
		} else if limit > 30*time.Second {
			t.Fatalf("nothing was unfinished: %v", err)
		}
	}
}
