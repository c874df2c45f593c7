package stream

import (
	"context"
	"time"
)

// learn predicts and learns chunk after chunk until the intake ends. Its goroutine owns the state. One job takes the
// predictions of a run, and of further chunks of the same partition until the writer is idle.
func (s *session) learn(intake, write context.Context) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	defer s.abandonCopies()
	for {
		if s.atEnd() {
			s.stop(errEnd)
		}
		if intake.Err() != nil {
			return s.finish(write)
		}
		out, job := s.jobs.next()
		select {
		case <-intake.Done():
		case c := <-s.chunks.queue:
			s.chunks.await(c)
			if err := s.learnChunk(write, c); err != nil {
				return err
			}
			s.publishNow(len(s.chunks.queue) == 0)
		case out <- job:
			s.jobs.pop()
		case r := <-s.copyRequests():
			s.beginCopy(r)
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

func (s *session) idle(write context.Context) error {
	s.publishNow(true)
	if s.jobs.keep || !s.saver.due(s.st) {
		return nil
	}
	return s.checkpoint(write)
}

// atEnd reports whether a run with UntilEnd has reached all targets.
func (s *session) atEnd() bool {
	if !s.t.Config.UntilEnd {
		return false
	}
	for p, end := range s.t.targets {
		if s.st.positions[p] < end {
			return false
		}
	}
	return true
}

// learnChunk handles the records of one chunk, in several jobs where they fill a batch.
func (s *session) learnChunk(write context.Context, c *chunk) error {
	switch j := s.jobs.open; {
	case j == nil:
	case j.partition != c.Partition, j.records+len(c.Records) > s.t.Config.BatchRecords:
		s.complete()
	default:
		j.now = time.Now().UnixMilli()
		j.startTimes(c, 0)
	}
	for i := 0; i < len(c.Records); {
		if s.jobs.open == nil {
			if err := s.begin(write, c.Partition); err != nil {
				return err
			}
			s.jobs.open.startTimes(c, i)
		}
		if s.handle(s.jobs.open, c, i) {
			i++
			continue
		}
		s.st.positions[c.Partition] = c.Records[i].Offset
		if s.complete(); s.stuck {
			return nil
		}
	}
	s.st.positions[c.Partition] = c.Next
	if s.jobs.open != nil {
		s.jobs.open.records += len(c.Records)
	}
	s.jobs.keep = c.More
	s.t.recent.settle()
	s.chunks.release(c)
	switch {
	case s.jobs.keep:
	case s.saver.due(s.st):
		return s.checkpoint(write)
	default:
		s.jobs.offer() // while the writer is busy, more may be added
	}
	return nil
}

// begin opens a job. Until there is a spare one, the writer gets those that are complete.
func (s *session) begin(write context.Context, partition int32) error {
	for s.jobs.open == nil {
		spare, err := s.await(write, s.jobs.free())
		if err != nil {
			return err
		}
		if spare != nil {
			s.jobs.start(spare, partition)
		}
	}
	return nil
}

// await returns when the writer has taken its next job, or with a job received from free. It makes copies meanwhile: a
// slow broker does not delay /predict.
func (s *session) await(write context.Context, free <-chan *writeJob) (*writeJob, error) {
	for {
		out, job := s.jobs.next()
		select {
		case out <- job:
			s.jobs.pop()
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

// complete closes the open job, with a copy of the model when a checkpoint is due.
func (s *session) complete() {
	if s.saver.due(s.st) {
		s.jobs.open.snap = s.saver.copy(s.st)
	}
	s.jobs.complete()
}

// checkpoint completes the open job, or an empty one, with the copy of the model that is due.
func (s *session) checkpoint(write context.Context) error {
	if err := s.begin(write, 0); err != nil {
		return err
	}
	s.complete()
	return nil
}

// finish waits until all jobs are written, and then for the last copy of the model to be with the writer.
func (s *session) finish(write context.Context) error {
	s.t.publish(s.st, Stopping)
	s.jobs.keep = false
	if err := s.flush(write); err != nil {
		return err
	}
	snap, err := s.saver.copyLast(write, s.st)
	if snap == nil || err != nil {
		return err
	}
	if err := s.begin(write, 0); err != nil {
		return err
	}
	s.jobs.open.snap = snap
	return s.flush(write)
}

func (s *session) flush(write context.Context) error {
	for {
		if _, job := s.jobs.next(); job == nil {
			return nil
		}
		if _, err := s.await(write, nil); err != nil {
			return err
		}
	}
}
