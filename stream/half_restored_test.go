package stream_test

import (
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// noSyncFS fails one fsync of a folder.
type noSyncFS struct {
	checkpoint.FS
	left atomic.Int64 // fsyncs before it
}

func (f *noSyncFS) SyncDir(path string) error {
	if f.left.Add(-1) == -1 {
		return errDisk
	}
	return f.FS.SyncDir(path)
}

// TestHalfRestored: the disk fails while a checkpoint of the topic is installed in a folder that has another file of
// the same seq as one that it builds on. The daemon goes on with what the folder then has.
func TestHalfRestored(t *testing.T) {
	t.Parallel()
	for failing := range int64(2) {
		s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
		s.Config.CheckpointInterval = time.Hour
		s.MustRun(t)
		one := *s
		one.Dir = t.TempDir()
		asOfOther(t, s.Dir, one.Dir, s.Name)
		s.Cluster.Produce(t, s.Name, 0, good(12)...)
		s.MustRun(t)
		if f, _, err := store(s.Dir, s.Name).Newest(); err != nil || len(f.BuildsOn) == 0 {
			t.Fatalf("%v, the checkpoint builds on none", err)
		}

		disk := &noSyncFS{FS: checkpoint.OS{}}
		disk.left.Store(failing)
		one.Adjust = func(task *stream.Task) { task.Store.FS = disk }
		s.Cluster.Produce(t, s.Name, 0, good(2)...)
		one.MustRun(t)
		if disk.left.Load() >= 0 {
			t.Error("the disk did not fail")
		}
		if f, aside, err := store(one.Dir, s.Name).Newest(); err != nil || f.Seq != 14 || len(aside) > 0 {
			t.Errorf("%+v, %v, %v", f, aside, err)
		}
		one.Adjust, one.Dir = nil, t.TempDir()
		if st := one.MustRun(t).Status(); st.Seq != 14 {
			t.Errorf("the topic's is of seq %d", st.Seq)
		}
		one.Audit(t)
	}
}

// TestNeededBehindTheTopic: likewise where the topic's checkpoint has passed what has no entry, as aborted records. A
// start ends, since its first checkpoint would be behind that in the topic. The next one goes on.
func TestNeededBehindTheTopic(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.MustRun(t)
	one := *s
	one.Dir = t.TempDir()
	asOfOther(t, s.Dir, one.Dir, s.Name)
	s.Cluster.OpenTransaction(t, s.Name, 0, good(11)...)(false)
	s.MustRun(t)
	one.Adjust = func(task *stream.Task) { task.Store.FS = &noSyncFS{FS: checkpoint.OS{}} }
	wantStop(t, &one, stops.StateUnwritable)
	one.Adjust = nil
	one.MustRun(t)
}

func store(dir, model string) *checkpoint.Store {
	return &checkpoint.Store{Dir: filepath.Join(dir, model)}
}

// asOfOther saves the checkpoint of a folder in another one as a process does that wrote another header.
func asOfOther(t *testing.T, from, to, model string) {
	t.Helper()
	f, _, err := store(from, model).Newest()
	if err != nil {
		t.Fatal(err)
	}
	sections := make([]checkpoint.Section, len(f.Sections))
	for i, s := range f.Sections {
		sections[i] = checkpoint.Bytes(s.Name, s.Data)
	}
	if _, err := store(to, model).Save(f.Seq, append(f.Header, ' '), sections, checkpoint.Base{}); err != nil {
		t.Fatal(err)
	}
}
