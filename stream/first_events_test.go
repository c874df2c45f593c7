package stream_test

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/rs/zerolog"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
	"rosenblatt/stream/streamtest"
)

// lockedBuffer is a log that is read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.String()
}

// TestFirstEventsAreSurveyed: the status has what the first events hold, warnings are logged once, and rejected events
// in a row are counted until one is predicted.
func TestFirstEventsAreSurveyed(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	log := new(lockedBuffer)
	s.Adjust = func(task *stream.Task) { task.Logger = zerolog.New(log) }
	task, stop, _ := live(t, s)
	var values []string
	for i := range 1200 {
		values = append(values, fmt.Sprintf(`{"label":%d,"x":"%d.5"}`, i%2, i))
	}
	s.Cluster.Produce(t, s.Name, 0, values...)
	read := func(n int64) *board.Status {
		streamtest.Await(t, "all records", func() bool { return task.Status().Counts.Read == n })
		return task.Status()
	}
	st := read(1200)
	if st.First == nil || st.First.Events != 1000 || st.First.Labelled != 1000 || len(st.First.Warnings) != 1 {
		t.Errorf("%+v", st.First)
	}
	s.Cluster.Produce(t, s.Name, 0, strings.Split(strings.Repeat("{\n", 150), "\n")[:150]...)
	if st = read(1350); st.Rejects.InRow != 150 || st.Rejects.Last != event.Syntax {
		t.Errorf("%d in a row, %s", st.Rejects.InRow, st.Rejects.Last)
	}
	s.Cluster.Produce(t, s.Name, 0, `{"label":1,"x":"2"}`, "{")
	if st = read(1352); st.Rejects.InRow != 1 {
		t.Errorf("%d in a row", st.Rejects.InRow)
	}
	streamtest.Await(t, "all acknowledged", func() bool { return task.Status().Unacknowledged == 0 })
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"numbers as text", "an event is rejected, the first", `"reasons":{"syntax":150}`} {
		if strings.Count(log.text(), want) != 1 {
			t.Errorf("not once %q: %s", want, log.text())
		}
	}
	s.Audit(t)
}
