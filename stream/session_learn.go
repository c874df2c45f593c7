package stream

import (
	"context"
	"errors"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// learn predicts and learns chunk after chunk until the intake ends. Its goroutine owns the state. A flight takes what
// is there, and more until the writer is idle. labelledSession.learn is this loop where labels come later.
func (s *session) learn(intake, write context.Context) error {
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
		out, f := s.flights.next()
		select {
		case <-intake.Done():
		case c := <-s.chunks.queue:
			s.chunks.await(c)
			if err := s.learnNext(write, c); err != nil {
				return err
			}
			s.publishNow(len(s.chunks.queue) == 0)
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
			s.publishNow(true)
			if err := s.idle(write); err != nil {
				return err
			}
		}
	}
}

// learnNext handles a chunk, and offers what was made of it.
func (s *session) learnNext(write context.Context, c *chunk) error {
	on, err := s.learnChunk(write, c, len(c.Records))
	if !on {
		return err
	}
	s.flights.keep = c.More || s.chunks.queued()
	s.chunks.release(c)
	return s.offer(write)
}

// idle saves a checkpoint when one is due.
func (s *session) idle(write context.Context) error {
	s.t.board.ReportRejected(false)
	if s.flights.keep || !s.saver.due(s.st) {
		return nil
	}
	return s.checkpoint(write)
}

// atEnd reports whether a run with UntilEnd has reached all targets of the input.
func (s *session) atEnd() bool {
	if !s.t.Config.UntilEnd {
		return false
	}
	for p, end := range s.t.remembered.targets {
		if s.st.Positions[p] < end {
			return false
		}
	}
	return true
}

// learnChunk handles the records of one chunk up to an end, in several flights where they fill one. It returns false
// where the session ends.
func (s *session) learnChunk(write context.Context, c *chunk, end int) (bool, error) {
	if c.handled == 0 {
		s.t.board.Survey(c.Records)
		s.t.board.OfferFields(c.Records)
	}
	for done := c.handled == end; !done; {
		if err := s.begin(write); err != nil {
			return false, err
		}
		if done = s.learnRun(s.flights.open, c, end); done {
			break
		}
		s.st.Positions[c.Partition] = c.position()
		s.st.Moved(topics.Input, c.Partition, c.position(), c.Leader)
		if s.complete(); s.stuck {
			return false, nil
		}
	}
	s.st.Positions[c.Partition] = c.position()
	s.st.Moved(topics.Input, c.Partition, c.position(), c.Leader)
	s.t.board.CopySamples()
	return true, nil
}

// offer offers the open flight to the writer, if nothing follows at once.
func (s *session) offer(write context.Context) error {
	if f := s.flights.open; f != nil && f.full {
		s.complete()
	}
	switch {
	case s.flights.keep:
	case s.saver.due(s.st):
		return s.checkpoint(write)
	default:
		s.flights.offer() // while the writer is busy, more may be added
	}
	return nil
}

// learnRun handles the next records of a chunk up to an end, and outcomes as they are due. It returns whether all fit.
func (s *session) learnRun(f *flight, c *chunk, end int) bool {
	i := c.handled
	to, began := f.begin(c, i), time.Now()
	fits := s.placeDue(f) == placed
	for fits && i < end && s.handle(f, to, c, i) == placed {
		i++
		fits = s.placeDue(f) == placed
	}
	c.handled = i
	f.end(to, time.Since(began))
	return fits && i == end
}

// begin opens a flight if none is open. Until there is a spare one, the writer gets those that are complete.
func (s *session) begin(write context.Context) error {
	for s.flights.open == nil {
		spare, err := s.await(write, s.flights.free())
		if err != nil {
			return err
		}
		if spare != nil {
			s.flights.start(spare)
		}
	}
	return nil
}

// await returns when the writer has taken its next flight, or with one received from free. It makes copies meanwhile: a
// slow broker does not delay /predict.
func (s *session) await(write context.Context, free <-chan *flight) (*flight, error) {
	for {
		out, f := s.flights.next()
		select {
		case out <- f:
			s.flights.pop()
			return nil, nil
		case spare := <-free:
			return spare, nil
		case r := <-s.copyRequests():
			s.beginCopy(r)
		case <-s.copying():
			s.copyStep()
		case <-write.Done():
			return nil, context.Cause(write)
		}
	}
}

// complete closes the open flight, with a copy of the model when a checkpoint is due.
func (s *session) complete() {
	if s.saver.due(s.st) {
		s.flights.open.snap = s.saver.copy(s.st)
	}
	s.flights.complete()
}

// checkpoint completes the open flight, or an empty one, with the copy of the model that is due.
func (s *session) checkpoint(write context.Context) error {
	if err := s.begin(write); err != nil {
		return err
	}
	s.complete()
	return nil
}

// finish waits until all flights are written, and then for the last copy of the model to be with the writer, unless why
// the session ends is a stop before its first entry: the position for which it ends would be in the checkpoint of the
// newest epoch in the topic, and nobody could start from that.
func (s *session) finish(write context.Context, why error) error {
	s.t.board.Publish(s.st, board.Stopping)
	s.t.board.ReportRejected(true)
	s.flights.keep = false
	if err := s.flush(write); err != nil {
		return err
	}
	//mutation:stop-before-first-entry
	if s.t.storage.inTopic != nil && s.st.Seq == s.began && errors.As(why, new(*stops.Error)) {
		return nil
	}
	snap, err := s.saver.copyLast(write, s.st)
	if snap == nil || err != nil {
		return err
	}
	if err := s.begin(write); err != nil {
		return err
	}
	s.flights.open.snap = snap
	return s.flush(write)
}

func (s *session) flush(write context.Context) error {
	for {
		if _, f := s.flights.next(); f == nil {
			return nil
		}
		if _, err := s.await(write, nil); err != nil {
			return err
		}
	}
}
