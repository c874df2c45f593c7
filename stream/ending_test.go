package stream_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/checkpoint"
	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// the acceptance of a configuration names the seq after which it holds: that of the journal's end, not the
// checkpoint's.
func TestAcceptedConfigNamesItsSeq(t *testing.T) {
	t.Parallel()
	s, old := half(t, 1)
	s.Dir = old
	s.Config.ModelConfig.Learner.Threshold = 0.5
	s.Config.Accept = []string{stops.ConfigDiffers}
	task := s.MustRun(t)
	if a := task.Status().Accepted; len(a) != 1 || a[0].Seq != 392 {
		t.Errorf("accepted %+v, want seq 392, from which the new threshold is used", a)
	}
}

// the disk hangs when the task is stopped: it ends within the grace period and a little.
type hungFS struct {
	checkpoint.FS
	hang chan struct{} // closed to end it
	on   *atomic.Bool
}

func (f hungFS) Create(path string) (checkpoint.Handle, error) {
	if f.on.Load() {
		<-f.hang
	}
	return f.FS.Create(path)
}

func TestStopWhileTheDiskHangs(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.Grace = 100 * time.Millisecond
	hang, on := make(chan struct{}), new(atomic.Bool)
	s.Adjust = func(task *stream.Task) { task.Store.FS = hungFS{task.Store.FS, hang, on} }
	task, stop, _ := live(t, s)
	streamtest.Await(t, "live", func() bool { return task.Status().State == board.Live })
	on.Store(true)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	streamtest.Await(t, "ten records", func() bool { return task.Status().Acknowledged == 10 })
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	select {
	case err := <-ended:
		if !errors.Is(err, stream.ErrUnfinished) {
			t.Errorf("stopped with %v", err)
		}
	case <-streamtest.Timeout(t, 30*time.Second).Done():
		t.Error("half a minute after a grace period of 100 ms Run has not returned")
		close(hang)
		<-ended
		return
	}
	close(hang)
	store := &checkpoint.Store{Dir: task.Store.Dir}
	streamtest.Await(t, "the save that hung", func() bool { // it still writes into the folder, which is to be removed
		files, err := store.Files()
		return err == nil && len(files) > 0 && filepath.Base(files[0]) == "checkpoint-10"
	})
}

// a stop does not wait for a disk that hangs either: other tasks of the process, and the group, learn of it.
func TestStoppedWhileTheDiskHangs(t *testing.T) {
	t.Parallel()
	s, log := stalls(streamtest.New(t, streamtest.Start(t), 1))
	s.Config.Grace = 100 * time.Millisecond
	hang, on := make(chan struct{}), new(atomic.Bool)
	s.Adjust = func(task *stream.Task) { task.Store.FS = hungFS{task.Store.FS, hang, on} }
	task, _, done := live(t, s)
	streamtest.Await(t, "live", func() bool { return task.Status().State == board.Live })
	on.Store(true)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	streamtest.Await(t, "ten records", func() bool { return task.Status().Acknowledged == 10 })
	log.stall()
	s.Cluster.Produce(t, s.Name, 0, good(50)...)
	s.Cluster.DeleteRecords(t, s.Name, 0, 30)
	log.resume()
	select {
	case err := <-done:
		if !stops.Is(err, stops.InputGone) {
			t.Errorf("it ends with %v", err)
		}
	case <-streamtest.Timeout(t, 30*time.Second).Done():
		t.Error("it does not end")
	}
	close(hang)
	streamtest.Await(t, "the save that hung", func() bool { // as above
		files, err := (&checkpoint.Store{Dir: task.Store.Dir}).Files()
		return err == nil && len(files) > 0 && filepath.Base(files[0]) == "checkpoint-10"
	})
}

// recoveries are spaced when every write is indeterminate.
func TestInDoubtAgainAndAgain(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	var j *hookJournal
	s.Adjust = func(task *stream.Task) {
		j = &hookJournal{Journal: task.Journal, append: func(context.Context,
			int) error {
			return topics.ErrIndeterminate
		}}
		task.Journal = j
	}
	_, _ = runWithin(t, s, 3*time.Second)
	if j.taken > 15 {
		t.Errorf("%d takeovers in three seconds", j.taken)
	}
}

// what --accept journal-gone gives up: records whose predictions are gone, and which a later prediction is behind.
func TestJournalGoneSaysWhatItLoses(t *testing.T) {
	t.Parallel()
	s, old := half(t, 1)
	s.Dir = old
	s.Cluster.DeleteRecords(t, s.Output(), 0, 300)
	s.Config.Accept = []string{stops.JournalGone}
	task := s.MustRun(t)
	if c := task.Status().Counts; c.Read != 400 {
		t.Errorf("counts %+v, seq %d: %d records are in neither the model nor the counts", c, task.Status().Seq,
			400-c.Read)
	}
}

// state-invalid was accepted where nothing else is wrong: it is recorded.
func TestStateInvalidIsRecorded(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.MustRun(t) // nothing is predicted
	files, err := (&checkpoint.Store{Dir: s.Dir + "/" + s.Name}).Files()
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	flip(t, files[0])
	s.Config.Accept = []string{stops.StateInvalid}
	if a := s.MustRun(t).Status().Accepted; len(a) != 1 || a[0].Name != stops.StateInvalid {
		t.Errorf("accepted on the record: %+v", a)
	}
}

// state-invalid is accepted and the start stops for another reason: the log has what was accepted.
func TestAcceptedStopIsLogged(t *testing.T) {
	t.Parallel()
	s, _ := half(t, 1)
	for _, f := range checkpoints(t, s) {
		flip(t, f)
	}
	var log bytes.Buffer
	s.Log = zerolog.New(&log)
	s.Config.Accept = []string{stops.StateInvalid}
	wantStop(t, s, stops.StateMissing)
	if !strings.Contains(log.String(), `"accepted":"state-invalid"`) {
		t.Errorf("the log does not say it: %s", log.String())
	}
}
