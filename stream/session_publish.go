package stream

import (
	"time"

	"rosenblatt/stream/board"
)

// publishNow publishes the status when that is due.
func (s *session) publishNow(idle bool) {
	if s.publishDue(idle) {
		s.t.board.Publish(s.st, board.Live)
	}
}

// publishDue reports whether the status is to be published now: at most ten times a second when no chunk waits, else
// five times, and once where nothing has changed.
func (s *session) publishDue(idle bool) bool {
	since := time.Since(s.published)
	if since < 100*time.Millisecond || !idle && since < 200*time.Millisecond {
		return false
	}
	mark := markOf(s.st, time.Time{})
	if mark == s.publishedMark && since < time.Second {
		return false
	}
	s.published, s.publishedMark = time.Now(), mark
	return true
}

func (s *session) progress() {
	if s.t.Progress != nil {
		s.t.board.Publish(s.st, board.Live)
		s.t.Progress(s.t.Status())
	}
}
