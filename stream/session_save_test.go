package stream

import (
	"testing"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/state"
)

// TestCheckpointDue: after the interval or so many predictions, when something has changed; the first one after a
// second; and one copy at a time.
func TestCheckpointDue(t *testing.T) {
	t.Parallel()
	_, fixed := benchChunk(t, 1, 4)
	st := benchState(t, fixed)
	c := &state.Config{CheckpointInterval: time.Hour, CheckpointEvery: 10}
	s, err := newSaver(&storage{config: c, board: board.New("m")}, st)
	if err != nil {
		t.Fatal(err)
	}
	s.start(st, false)
	due := func(want bool, when string) {
		t.Helper()
		if s.due(st) != want {
			t.Errorf("%s: due is %t", when, !want)
		}
	}
	due(false, "at the start")
	s.copied.at = s.copied.at.Add(-firstSave)
	due(false, "when nothing has changed")
	st.Positions[0]++
	due(true, "a second after the start")
	snap := s.copy(st)
	due(false, "after a copy")
	st.Seq += 10
	due(false, "before the copy is saved")
	s.free <- snap
	due(true, "after 10 predictions")
	st.Seq--
	due(false, "after 9 predictions")
	st.Seq++
	s.free <- s.copy(st)
	s.copied.at = s.copied.at.Add(-2 * time.Hour)
	due(false, "when nothing has changed since the copy")
	s.renewed.Store(true)
	due(true, "after a renewal")
	s.took.Store(int64(time.Hour))
	due(false, "while saving takes more than a tenth of the time")
}

// TestLastCopy: the end of a session waits for the save before, and saves again only what has changed.
func TestLastCopy(t *testing.T) {
	t.Parallel()
	_, fixed := benchChunk(t, 1, 4)
	st := benchState(t, fixed)
	s, err := newSaver(&storage{config: &state.Config{}, board: board.New("m")}, st)
	if err != nil {
		t.Fatal(err)
	}
	s.start(st, false)
	if snap, err := s.copyLast(t.Context(), st); snap != nil || err != nil {
		t.Errorf("%v, %v where nothing has changed", snap, err)
	}
	s.failed.Store(true)
	used := <-s.free
	time.AfterFunc(time.Millisecond, func() { s.free <- used })
	if snap, err := s.copyLast(t.Context(), st); snap != used || err != nil || !snap.last {
		t.Errorf("%v, %v after a failed save", snap, err)
	}
}
