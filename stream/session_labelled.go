package stream

import (
	"context"

	"rosenblatt/stream/board"
	"rosenblatt/stream/late"
)

// labelledSession is a session of a task whose labels come later. A merger says which chunk of events or labels is
// handled next, and a recaller reads events back.
type labelledSession struct {
	*session
	late     *late.Labels
	merger   *merger
	recaller *recaller
}

// withLabels makes the session one whose labels come later. It goes on with a follower's merger, which may be nil.
func (s *session) withLabels(m *merger) *labelledSession {
	return &labelledSession{session: s, late: s.st.Labels(), merger: beginMerger(m, s.st, s.t.Config.Labels),
		recaller: newRecaller(s.t.eventLog())}
}

// learned ends the use of the first chunk of a source, or of a part of it.
func (s *labelledSession) learned(write context.Context, n int, c *chunk) error {
	whole := s.merger.handled(n)
	s.recaller.request(s.late)
	s.flights.keep = s.merger.pick() >= 0
	if whole {
		s.chunks.release(c)
	}
	return s.offer(write)
}

// publishNow notes what the merge waits for, too.
func (s *labelledSession) publishNow(idle bool) {
	if !s.publishDue(idle) {
		return
	}
	m := board.Merging{Held: s.merger.held(), Holds: s.merger.holds(), Unasked: s.merger.unasked()}
	for _, t := range s.st.Topology.Read() {
		if s.t.board.Seconds[t].Load() {
			m.Seconds = append(m.Seconds, t)
		}
	}
	s.t.board.SetMerging(m)
	s.t.board.Publish(s.st, board.Live)
}

// awaitExamples awaits the examples of a chunk.
func (s *labelledSession) awaitExamples(c *chunk) {
	if !c.ready {
		s.chunks.await(c)
		c.ready = true
	}
}
