package stream

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/topics"
)

// startLate starts the goroutines of a task with later labels.
func (s *session) startLate(intake context.Context, group *errgroup.Group) {
	if s.merger == nil {
		return
	}
	group.Go(func() error {
		s.askEnds(intake)
		return nil
	})
	group.Go(func() error {
		err := s.recaller.run(intake)
		if err != nil {
			s.stop(err)
		}
		return err
	})
}

// askEnds asks for the ends of events and labels as often as the learner does.
func (s *session) askEnds(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case asked := <-s.merger.ask:
			found := foundEnds{Asked: asked}
			var err error
			if found.events, found.labels, err = s.t.Log.Ends(ctx); err != nil {
				found.events, found.labels = nil, nil // watch says why
			}
			s.merger.ends <- found
		}
	}
}

// endings is the channel of ends that were asked for.
func (m *merger) endings() <-chan foundEnds {
	if m == nil {
		return nil
	}
	return m.ends
}

// found takes the ends that were asked for.
func (s *session) found(f foundEnds) {
	m, clock, idle := s.merger, &s.st.late.clock, s.merger.idle
	m.found(f)
	for p, end := range f.labels {
		n, known := m.numbers[topics.Labels][int32(p)]
		if !known {
			continue // another task's, or it was added: the session ends soon
		}
		if end > 0 {
			clock.Hold(int32(p))
		}
		//mutation:held-not-idle
		if x := &m.sources[n]; idle > 0 && x.to >= end && len(x.chunks) == 0 && time.Since(x.arrived) >= idle {
			clock.Idle(int32(p), time.Now().UnixMilli())
		}
	}
}
