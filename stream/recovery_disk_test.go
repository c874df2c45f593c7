package stream_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/checkpoint"
	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// makeIndeterminate makes the appends of these numbers indeterminate.
func makeIndeterminate(task *stream.Task, calls ...int) {
	task.Journal = &hookJournal{Journal: task.Journal, append: func(_ context.Context, call int) error {
		for _, c := range calls {
			if call == c {
				return topics.ErrIndeterminate
			}
		}
		return nil
	}}
}

// TestRecoveryNeedsNoWritableDisk: the disk is full when a write is indeterminate, again and again. The task goes on
// like one whose disk is full otherwise, and when it is killed, the next start follows the journal over all epochs from
// the last checkpoint. It is the start's first; or one of later, so that the journal's tail begins in its middle.
func TestRecoveryNeedsNoWritableDisk(t *testing.T) {
	t.Parallel()
	for name, saves := range map[string]int64{"first": 1, "later": 4} {
		t.Run(name, func(t *testing.T) {
			s := streamtest.New(t, streamtest.Start(t), 2)
			s.Config.BatchRecords, s.Config.CheckpointEvery = 10, 10
			for p := range 2 {
				s.Cluster.Produce(t, s.Name, p, events(uint64(p), 200)...)
			}
			s.Adjust = func(task *stream.Task) {
				fullAfter(saves)(task)
				makeIndeterminate(task, 12, 13, 25)
			}
			task, err := s.Run(t)
			if st := task.Status(); !errors.Is(err, stream.ErrUnfinished) || st.Counts.Read != 400 || st.Epoch < 2 {
				t.Fatalf("%v; %d records, epoch %d", err, st.Counts.Read, st.Epoch)
			}
			s.Adjust = nil
			s.Cluster.Produce(t, s.Name, 0, events(7, 50)...)
			if c := s.MustRun(t).Status().Counts; c.Read != 450 {
				t.Errorf("%d records read", c.Read)
			}
			s.Audit(t)
		})
	}
}

// TestRecoverySavesWhenThereIsRoom: what could not be saved after a recovery is saved as soon as it can be, though
// nothing moves.
func TestRecoverySavesWhenThereIsRoom(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.CheckpointInterval = 20 * time.Millisecond
	left := new(atomic.Int64)
	left.Store(1)
	s.Adjust = func(task *stream.Task) {
		task.Store.FS = diskFS{task.Store.FS, left}
		makeIndeterminate(task, 1)
	}
	task, stop, _ := live(t, s)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	streamtest.Await(t, "ten records and a failed save", func() bool {
		st := task.Status()
		return st.Acknowledged == 10 && st.Epoch == 2 && st.SaveError != ""
	})
	left.Store(1 << 40)
	streamtest.Await(t, "a save", func() bool { return task.Status().Saved.Seq == 10 })
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

// A start without a checkpoint needs one: without it, the next could not tell its own predictions from foreign ones.
func TestStartNeedsAWritableDisk(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	for range 2 { // without a checkpoint, and with one
		s.Adjust = fullAfter(0)
		wantStop(t, s, "state-unwritable")
		s.Adjust = nil
		s.MustRun(t)
	}
}

// soloFS lets the sync of a file wait, when it is armed, until the test lets it go on or somebody else uses the folder.
type soloFS struct {
	checkpoint.FS
	armed   atomic.Bool
	syncing chan struct{} // closed when the sync waits
	goOn    chan struct{}
	intrude sync.Once
	other   chan struct{} // closed when somebody else uses the folder meanwhile
}

type soloFile struct {
	checkpoint.Handle
	f *soloFS
}

func (f *soloFS) Create(path string) (checkpoint.Handle, error) {
	h, err := f.FS.Create(path)
	if err == nil {
		h = soloFile{h, f}
	}
	return h, err
}

func (h soloFile) Sync() error {
	if h.f.armed.CompareAndSwap(true, false) {
		close(h.f.syncing)
		select {
		case <-h.f.goOn:
		case <-h.f.other:
		}
	}
	return h.Handle.Sync()
}

func (f *soloFS) List(dir string) ([]string, error) {
	select {
	case <-f.syncing:
		select {
		case <-f.goOn:
		default:
			f.intrude.Do(func() { close(f.other) })
		}
	default:
	}
	return f.FS.List(dir)
}

// said is a log that tells when a text was logged.
type said struct {
	text string
	once sync.Once
	done chan struct{}
}

func (s *said) Write(b []byte) (int, error) {
	if strings.Contains(string(b), s.text) {
		s.once.Do(func() { close(s.done) })
	}
	return len(b), nil
}

// TestRecoveryWaitsForTheSaver: a checkpoint is being written to a slow disk when a recovery in process begins. It
// reads the folder when that has ended.
func TestRecoveryWaitsForTheSaver(t *testing.T) {
	t.Parallel()
	s, f, waits := slowDisk(t)
	task, stop, _ := live(t, s.Setup)
	s.begin(t, task, f)
	select {
	case <-waits.done:
	case <-f.other:
		t.Error("the recovery uses the folder while a checkpoint is being written")
	}
	close(f.goOn)
	streamtest.Await(t, "the rest", func() bool { return task.Status().Acknowledged == 20 })
	if err := stop(); err != nil || task.Status().SaveErrors > 0 {
		t.Error(err, task.Status().SaveError)
	}
	s.Audit(t)
}

// TestStopWhileRecoveryWaitsForTheSaver: a disk that hangs does not hold up a stop.
func TestStopWhileRecoveryWaitsForTheSaver(t *testing.T) {
	t.Parallel()
	s, f, waits := slowDisk(t)
	task, stop, _ := live(t, s.Setup)
	s.begin(t, task, f)
	<-waits.done
	if err := stop(); !errors.Is(err, stream.ErrUnfinished) {
		t.Errorf("stopped with %v", err)
	}
	close(f.goOn)
	streamtest.Await(t, "the save that hung", func() bool { // it still writes into the folder, which is to be removed
		files, err := task.Store.Files()
		return err == nil && len(files) == 2
	})
}

type slowSetup struct{ *streamtest.Setup }

func slowDisk(t *testing.T) (slowSetup, *soloFS, *said) {
	t.Helper()
	s := slowSetup{streamtest.New(t, streamtest.Start(t), 1)}
	f := &soloFS{FS: checkpoint.OS{}, syncing: make(chan struct{}), goOn: make(chan struct{}),
		other: make(chan struct{})}
	waits := &said{text: "recovery waits", done: make(chan struct{})}
	s.Log = zerolog.New(waits)
	s.Config.CheckpointEvery, s.Config.BatchRecords = 10, 10
	s.Adjust = func(task *stream.Task) {
		task.Store.FS = f
		makeIndeterminate(task, 2)
	}
	return s, f, waits
}

// begin lets the task save a checkpoint, and meet an indeterminate write meanwhile.
func (s slowSetup) begin(t *testing.T, task *stream.Task, f *soloFS) {
	t.Helper()
	streamtest.Await(t, "live", func() bool { return task.Status().State == board.Live })
	f.armed.Store(true)
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	<-f.syncing
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
}
