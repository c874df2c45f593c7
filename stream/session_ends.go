package stream

import (
	"context"
	"slices"
	"sync"
	"time"

	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
)

// askEnds asks for the ends of events and labels as often as the learner does.
func (m *merger) askEnds(ctx context.Context, log topics.Log) {
	var requests sync.WaitGroup
	defer requests.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case ask := <-m.ask:
			requests.Go(func() {
				tell := func(ends []topics.PartitionEnd) {
					select {
					case m.ends <- foundEnds{ask.Asked, ends}:
					case <-ctx.Done():
					}
				}
				log.Ends(ctx, ask.highs, tell)
				tell(nil)
			})
		}
	}
}

// found takes ends that were asked for.
func (s *labelledSession) found(f foundEnds) {
	s.merger.found(f)
	clock, idle := &s.late.Clock, s.merger.idle
	for _, e := range f.ends {
		n, known := s.merger.numbers[topics.Labels][e.Partition]
		if e.Topic != topics.Labels || e.Err != nil || !known {
			continue // another task's, or it was added: the session ends soon
		}
		if e.Stable > 0 {
			clock.Hold(e.Partition)
		}
		//mutation:held-not-idle
		if x := &s.merger.sources[n]; idle > 0 && x.to >= e.Stable && len(x.chunks) == 0 &&
			time.Since(x.arrived) >= idle {
			clock.Idle(e.Partition, time.Now().UnixMilli(), time.Since(s.merger.began).Milliseconds())
		}
	}
}

// request asks for the ends of both topics, if something waits for them; while a label is held, once a second with
// those that tell what is stored.
func (m *merger) request() {
	if m.asking {
		return
	}
	highs := m.held() > 0 && time.Since(m.noted) >= time.Second
	if !highs && (!m.fresh || m.pick() >= 0 || m.idle == 0 && !m.waits()) {
		return
	}
	now := time.Now()
	asked := m.merge.Ask(now.UnixMilli())
	select {
	case m.ask <- endsAsk{asked, highs}:
	default:
		return // the one before was not made yet
	}
	if m.asking, m.fresh, m.checked = true, false, false; highs {
		m.noted = now
	}
}

// note asks for the ends of both topics once a second, those that tell what is stored too, for a follower: after its
// takeover it is known since when labels have been readable, as it is of one that has been live.
func (m *merger) note(st *state.State) {
	if m.asking || time.Since(m.noted) < time.Second {
		return
	}
	m.moveTo(st)
	now := time.Now()
	select {
	case m.ask <- endsAsk{m.merge.Ask(now.UnixMilli()), true}:
		m.asking, m.noted = true, now
	default: // the one before was not made yet
	}
}

// moveTo notes the positions of a state.
func (m *merger) moveTo(st *state.State) {
	for n := range m.sources {
		s := &m.sources[n]
		s.to = st.PositionsOf(s.topic)[s.partition]
	}
}

// beginMerger begins to merge: what a follower has noted stays, if its partitions are those of the state. m is nil
// where the task has not followed.
func beginMerger(m *merger, st *state.State, c *state.LabelsConfig) *merger {
	//mutation:follower-notes
	if m == nil || len(m.sources) != len(st.Partitions(topics.Input))+len(st.Partitions(topics.Labels)) {
		return newMerger(st, c)
	}
	m.moveTo(st)
	m.asking, m.ask, m.ends = false, make(chan endsAsk, 1), make(chan foundEnds, 1)
	for n := range m.sources {
		m.sources[n].arrived = time.Now()
		m.head(n) // nothing is read yet
	}
	return m
}

func (m *merger) waits() bool {
	return slices.ContainsFunc(m.sources, func(s source) bool { return len(s.chunks) > 0 && !s.paused })
}

// found takes what a leader tells of ends that were asked for. A partition of which everything below its end was
// handled holds nobody up.
func (m *merger) found(f foundEnds) {
	m.asking, m.checked = false, false
	m.fresh = m.fresh || !f.Behind(m.read) // this leader was not asked when that was read: it was being asked
	for _, e := range f.ends {
		n, known := m.numbers[e.Topic][e.Partition]
		if !known {
			continue
		}
		s := &m.sources[n]
		s.unasked = e.Err
		if e.Err != nil {
			m.merge.Failed(n)
			continue
		}
		m.merge.Responded(n, f.Asked)
		switch {
		case e.Topic == topics.Labels:
			m.merge.Readable(n, time.Now().UnixMilli(), e.Stable)
		case e.High >= 0:
			m.merge.Stored(n, f.Asked, e.High, e.Stable)
		}
		m.merge.Handled(n, s.position())
		if len(s.chunks) == 0 && s.to >= e.Stable {
			m.merge.End(n, f.Asked)
		}
	}
}
