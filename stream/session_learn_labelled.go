package stream

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/topics"
)

// start starts the goroutines that ask for ends and read events back.
func (s *labelledSession) start(intake context.Context, group *errgroup.Group) {
	group.Go(func() error {
		s.merger.askEnds(intake, s.t.Log)
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

// learn is session.learn, where chunks wait in the merger for their turn.
func (s *labelledSession) learn(intake, write context.Context) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	defer s.abandonCopies()
	defer s.abandonPromotion()
	for {
		if s.atEnd() {
			s.stop(errEnd)
		}
		if intake.Err() != nil {
			return s.finish(write, context.Cause(intake))
		}
		s.merger.request()
		out, f := s.flights.next()
		select {
		case <-intake.Done():
		case c := <-s.chunks.queue:
			s.merger.arrive(c)
		case <-s.ready():
			if err := s.learnNext(write); err != nil {
				return err
			}
			s.publishNow(len(s.chunks.queue) == 0)
		case f := <-s.merger.ends:
			s.found(f)
		case back := <-s.recaller.done:
			if err := s.restore(write, back); err != nil {
				return err
			}
		case out <- f:
			s.flights.pop()
		case r := <-s.copyRequests():
			s.beginCopy(r)
		case p := <-s.t.promotions:
			s.askPromotion(p)
		case <-s.copying():
			s.copyStep()
		case <-write.Done():
			return context.Cause(write)
		case <-tick.C:
			if err := s.idle(write); err != nil {
				return err
			}
		}
	}
}

// idle places what is due, since label time may have moved without records.
func (s *labelledSession) idle(write context.Context) error {
	if err := s.placeNow(write); err != nil {
		return err
	}
	s.publishNow(true)
	return s.session.idle(write)
}

// atEnd reports whether a run with UntilEnd has reached all targets, and no outcome is due.
func (s *labelledSession) atEnd() bool {
	if !s.session.atEnd() {
		return false
	}
	for p, end := range s.t.remembered.labelTargets {
		if s.st.LabelPositions[p] < end && !s.merger.leftBehind(int32(p)) {
			return false
		}
	}
	return !s.late.IsDue()
}

// ready is ready to receive from while a chunk may be handled. Where too many wait to be evicted, what is read back
// comes first.
func (s *labelledSession) ready() <-chan struct{} {
	//mutation:overfull
	if s.recaller.busy && s.late.Overfull() || s.merger.pick() < 0 {
		return nil
	}
	return always
}

// learnNext handles the chunk that the merge says, or the next part of it.
func (s *labelledSession) learnNext(write context.Context) error {
	m := s.merger
	n := m.pick()
	c := m.sources[n].chunks[0]
	s.awaitExamples(c)
	if c.topic == topics.Labels {
		return s.learnLabels(write, n, c)
	}
	on, err := s.learnChunk(write, c, m.part(c))
	if !on {
		return err
	}
	if err := s.learned(write, n, c); err != nil {
		return err
	}
	s.releaseHeld()
	return nil
}
