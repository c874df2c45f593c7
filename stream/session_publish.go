package stream

import (
	"time"

	"rosenblatt/stream/board"
)

// publishNow publishes at most ten times a second when no chunk waits, else five times, and once where nothing has
// changed.
func (s *session) publishNow(idle bool) {
	since := time.Since(s.published)
	if since < 100*time.Millisecond || !idle && since < 200*time.Millisecond {
		return
	}
	mark := markOf(s.st, time.Time{})
	if mark == s.publishedMark && since < time.Second {
		return
	}
	s.published, s.publishedMark = time.Now(), mark
	if s.merger != nil {
		m := board.Merging{Held: s.merger.held(), Holds: s.merger.holds(), Unasked: s.merger.unasked()}
		for _, t := range s.st.Topology.Read() {
			if s.t.board.Seconds[t].Load() {
				m.Seconds = append(m.Seconds, t)
			}
		}
		s.t.board.SetMerging(m)
	}
	s.t.board.Publish(s.st, board.Live)
}

func (s *session) progress() {
	if s.t.Progress != nil {
		s.t.board.Publish(s.st, board.Live)
		s.t.Progress(s.t.Status())
	}
}
