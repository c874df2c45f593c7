package stream_test

import (
	"context"
	"sync/atomic"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/stream"
	"rosenblatt/stream/streamtest"
)

// stoppingFS calls a test before it makes a file.
type stoppingFS struct {
	checkpoint.FS
	create func() error
}

func (f stoppingFS) Create(path string) (checkpoint.Handle, error) {
	if err := f.create(); err != nil {
		return nil, err
	}
	return f.FS.Create(path)
}

// A member that is stopped behind its fence, before it is live, has nothing to finish, though no other one is there:
// it has published nothing that it would have to save.
func TestStoppedInTakeover(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	var fenced atomic.Bool
	var m *standby
	s.Adjust = func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal, takeover: func(context.Context, int) error {
			fenced.Store(true)
			return nil
		}}
		task.Store.FS = stoppingFS{task.Store.FS, func() error {
			if fenced.Load() {
				m.stop()
				return errDisk
			}
			return nil
		}}
	}
	m = member(t, s, s.Dir)
	m.rounds <- 1
	if err := <-m.ended; err != nil {
		t.Error(err)
	}

}
